/**
 * Decodes the two seven-bit East Asian encodings that neither TextDecoder nor iconv-lite reads. Both are EUC without
 * bit 8.
 */

/** Decodes ISO-2022-KR (RFC 1557): after ESC $ ) C, shift-out (0x0e) begins KS C 5601 and shift-in (0x0f) ends it. */
export function decodeIso2022Kr(bytes: Uint8Array): string {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let shifted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x1b && bytes[i + 1] === 0x24 && bytes[i + 2] === 0x29) i += 3;
    else if (byte === 0x0e) shifted = true;
    else if (byte === 0x0f) shifted = false;
    else {
      if (byte === 0x0a) shifted = false;
      out[length++] = shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte;
    }
  }
  return new TextDecoder("euc-kr").decode(out.subarray(0, length));
}

/** Decodes HZ (RFC 1843): "~{" begins GB 2312, "~}" ends it, "~~" is a tilde, "~" before a line end joins lines. */
export function decodeHz(bytes: Uint8Array): string {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let shifted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const next = bytes[i + 1];
    if (byte === 0x7e && !shifted && next === 0x7b) {
      shifted = true;
      i++;
    } else if (byte === 0x7e && shifted && next === 0x7d) {
      shifted = false;
      i++;
    } else if (byte === 0x7e && !shifted && (next === 0x7e || next === 0x0a)) {
      if (next === 0x7e) out[length++] = byte;
      i++;
    } else {
      if (byte === 0x0a) shifted = false;
      out[length++] = shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte;
    }
  }
  return new TextDecoder("gb18030").decode(out.subarray(0, length));
}
