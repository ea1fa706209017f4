import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { ApiError } from "../kernel/errors.ts";
import { bodyCheck, paramName, queryCheck, replyFault } from "./check.ts";
import { Nullable, OneOf } from "./schema.ts";

test.each([
  ["", ""],
  ["/a", "a"],
  ["/add_labels/0", "add_labels[0]"],
  ["/conditions/1/op", "conditions[1].op"],
  ["/set/client.name", "set.client.name"],
  ["/a~1b/~0c", "a/b.~c"],
  ["/0", "0"],
])("the pointer %p becomes the parameter %p", (pointer, name) => {
  expect(paramName(pointer)).toBe(name);
});

const Condition = Type.Union([
  Type.Object({ field: Type.Literal("from"), value: Type.String() }),
  Type.Object({ field: Type.Literal("has_attachment"), value: Type.Boolean() }),
]);
const Body = Type.Object({
  when: Nullable(Type.Object({ hour: Type.Integer({ maximum: 23 }) })),
  conditions: Type.Array(Condition, { default: [] }),
  mode: OneOf(["a", "b"], { default: "a" }),
});

function paramOf(body: unknown): string | undefined {
  try {
    bodyCheck(Body)(body);
    return undefined;
  } catch (error) {
    return (error as ApiError).param;
  }
}

test("for a union, the error names the parameter of the branch that matched furthest", () => {
  expect(paramOf({ when: null })).toBeUndefined();
  expect(paramOf({ when: { hour: 24 } })).toBe("when.hour");
  expect(paramOf({ when: 5 })).toBe("when");
  expect(paramOf({ when: null, conditions: [{ field: "from", value: 1 }] })).toStartWith("conditions[0].");
  expect(paramOf({ when: null, conditions: [{ field: "has_attachment", value: true }] })).toBeUndefined();
});

test("each request gets its own copy of defaults", () => {
  const check = bodyCheck(Body);
  const first = check({ when: null }) as { conditions: unknown[] };
  first.conditions.push("mine");
  expect(check({ when: null })).toEqual({ when: null, conditions: [], mode: "a" });
});

test("for any JSON, a body check returns a value or throws an ApiError with a param", () => {
  const check = bodyCheck(Body);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        check(value);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).param).toBeTruthy();
      }
    }),
  );
});

test("for any query, integers are within their bounds or the query is refused", () => {
  const check = queryCheck(Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }) }));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
      try {
        const { limit } = check(new URLSearchParams({ limit: text })) as { limit: number };
        expect(Number.isInteger(limit) && limit >= 1 && limit <= 100).toBe(true);
        expect(String(limit)).toBe(text.replace(/^0+(?=\d)/, ""));
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }),
  );
});

test("a reply with a missing, wrong or undeclared field is reported", () => {
  const fault = replyFault(Type.Object({ id: Type.String(), at: Type.Optional(Type.Integer()) }));
  expect(fault({ id: "x" })).toBeNull();
  expect(fault({ id: "x", at: undefined })).toBeNull();
  expect(fault({})).toContain("/id");
  expect(fault({ id: "x", secret: "y" })).toContain("does not declare");
});
