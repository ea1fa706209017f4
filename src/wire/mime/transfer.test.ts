import { expect, test } from "bun:test";
import fc from "fast-check";
import { decodePart, decodeStream } from "./transfer.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const text = (decoded: Uint8Array) => Buffer.from(decoded).toString("latin1");

async function streamed(chunks: Uint8Array[], encoding: string): Promise<Buffer> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const out: Uint8Array[] = [];
  for await (const chunk of source.pipeThrough(decodeStream(encoding))) out.push(chunk);
  return Buffer.concat(out);
}

function split(whole: Uint8Array, sizes: number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(whole.subarray(at, at + size));
    at += size;
  }
  chunks.push(whole.subarray(at));
  return chunks;
}

test("base64 returns the bytes for any line length", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (data, width) => {
      const encoded = Buffer.from(data)
        .toString("base64")
        .replace(new RegExp(`.{${width}}`, "g"), "$&\r\n");
      expect(Buffer.from(decodePart(bytes(encoded), "Base64"))).toEqual(Buffer.from(data));
    }),
  );
});

test("base64 padded on every line is one piece, and a mailing list's footer is not part of it", () => {
  expect(text(decodePart(bytes("YQ==\r\nYg==\r\nYw==\r\n"), "base64"))).toBe("abc");
  expect(text(decodePart(bytes("aGVsbG8=\r\n_______\r\nTo unsubscribe visit us\r\n"), "base64"))).toBe("hello");
  expect(text(decodePart(bytes("aGVsbG8"), "base64"))).toBe("hello");
});

test("decodes quoted-printable: soft breaks, transport blanks, and invalid escapes", () => {
  expect(text(decodePart(bytes("a=3Db=\r\nc= \r\nd  \r\ne=ZZ=4"), "quoted-printable"))).toBe("a=bcd\r\ne=ZZ=4");
  expect(text(decodePart(bytes("a=e9=\nb="), "Quoted-Printable"))).toBe("a\xe9b");
});

test("decodes uuencode, with and without its frame, and with blanks lost at line ends", () => {
  expect(text(decodePart(bytes("begin 644 cat.txt\n#0V%T\n`\nend\n"), "x-uuencode"))).toBe("Cat");
  expect(text(decodePart(bytes("#0V%T"), "uuencode"))).toBe("Cat");
});

test("an unknown encoding leaves the bytes unchanged", () => {
  for (const encoding of ["7bit", "8bit", "binary", "rot13", "", null]) {
    expect(text(decodePart(bytes("a=3D\r\n"), encoding))).toBe("a=3D\r\n");
  }
});

test("a stream decodes to the same bytes as the whole, regardless of chunk boundaries", async () => {
  const letters = fc.constantFrom("=", "A", "9", " ", "\t", "\r\n", "\n", "\r", "YQ==", "QUJD", "=3D", "M0V%T", "end");
  await fc.assert(
    fc.asyncProperty(
      fc.array(letters, { maxLength: 60 }),
      fc.array(fc.nat(9), { maxLength: 20 }),
      fc.constantFrom("base64", "quoted-printable", "x-uuencode", "8bit"),
      async (pieces, sizes, encoding) => {
        const whole = bytes(pieces.join(""));
        expect(await streamed(split(whole, sizes), encoding)).toEqual(Buffer.from(decodePart(whole, encoding)));
      },
    ),
    { numRuns: 400 },
  );
});
