import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { UserError } from "../kernel/errors.ts";

/*
 * Schemas of the texts in a backup. A key that opens a file does not prove its origin: anyone with the public half of a
 * recovery key can create one. Everything that becomes SQL or a path is therefore checked before use.
 */

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

export const HeadShape = Type.Object({
  format: Type.Integer(),
  id: Text,
  kind: Type.Union([Type.Literal("full"), Type.Literal("incremental")]),
  made_at: Text,
  version: Text,
  migrations: Type.Array(Text),
  chain: Type.Array(Type.Object({ id: Text, file: Text })),
});

export const KeysShape = Type.Object({
  master_key: Type.String({ pattern: "^[0-9a-fA-F]{64}$" }),
  source: Type.Union([Type.Literal("file"), Type.Literal("given"), Type.Literal("passphrase")]),
  passphrase_json: Type.Union([Text, Type.Null()]),
  recovery_json: Type.Union([Text, Type.Null()]),
});

/** SQLite stores the statement that created an object, always in this form. Virtual tables are full-text indexes. */
const made = (type: string, pattern: string) =>
  Type.Object({ type: Type.Literal(type), name: Text, sql: Type.String({ pattern: `^CREATE ${pattern}` }) });

export const SchemaShape = Type.Object({
  page_size: Type.Integer({ minimum: 512, maximum: 65_536 }),
  user_version: Type.Integer(),
  application_id: Type.Integer(),
  objects: Type.Array(
    Type.Union([
      made("table", "TABLE\\s"),
      made("virtual", 'VIRTUAL TABLE\\s+(\\w+|"[^"]+")\\s+USING\\s+fts5\\s*\\('),
      made("index", "(UNIQUE )?INDEX\\s"),
      made("trigger", "TRIGGER\\s"),
      made("view", "VIEW\\s"),
    ]),
  ),
  tables: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1 }),
      columns: Type.Array(Text, { minItems: 1 }),
      key: Type.Array(Count),
      shadow: Type.Boolean(),
    }),
  ),
});

export const LineShape = Type.Union([
  Type.Object({ head: HeadShape }),
  Type.Object({
    table: Type.Tuple([Text, Count, Text, Type.Array(Type.Tuple([Text, Count, Count, Count]))]),
  }),
  Type.Object({ file: Type.Tuple([Text, Count, Text, Count]) }),
]);

/** Parses JSON and checks it against a schema. @throws UserError if it does not match */
export function shaped<S extends TSchema>(shape: S, file: string, name: string, bytes: Uint8Array): Static<S> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (Value.Check(shape, value)) return value;
  } catch {
    // Not JSON: the error below reports it.
  }
  throw new UserError(`${file} is not a Postroom backup: its ${name} is invalid.`);
}
