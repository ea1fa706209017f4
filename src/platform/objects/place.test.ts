import { expect, test } from "bun:test";
import { parsePlace, type SftpPlace, sftpText } from "./place.ts";

const sftp = (more: Partial<SftpPlace>) => ({
  kind: "sftp",
  user: "anna",
  host: "nas.lan",
  port: 22,
  path: "/x",
  ...more,
});

test("reads buckets, folders and servers with SSH", () => {
  expect(parsePlace("s3://bucket/a/b/")).toEqual({ kind: "s3", bucket: "bucket", prefix: "a/b" });
  expect(parsePlace("/mnt//nas/")).toEqual({ kind: "folder", path: "/mnt/nas" });
  for (const [text, more] of [
    ["sftp://anna@nas.lan/volume1/postroom/", { path: "/volume1/postroom" }],
    ["sftp://anna@NAS.lan:2222/x", { port: 2222 }],
    ["sftp://anna@192.168.1.5/x", { host: "192.168.1.5" }],
    ["sftp://anna@[fd00::5]:23/x", { host: "fd00::5", port: 23 }],
    ["sftp://anna@nas.lan/~/postroom/b", { path: "postroom/b" }],
    ["sftp://anna@nas.lan/~", { path: "." }],
    ["sftp://anna@nas.lan/", { path: "/" }],
    ["sftp://u1-sub2%40home@nas.lan/my%20files", { user: "u1-sub2@home", path: "/my files" }],
  ] as const) {
    const place = parsePlace(text);
    expect({ text, place }).toEqual({ text, place: sftp(more) as SftpPlace });
    expect(parsePlace(sftpText(place as SftpPlace))).toEqual(place);
  }
});

test("refuses what is incomplete, has a password, or leaves its folder", () => {
  for (const text of [
    ...["", "relative", "s3://", "s3://bucket//a", "s3://bucket/../a", "https://nas.lan/x", "SFTP://anna@nas.lan/x"],
    ...[
      "sftp://nas.lan/x",
      "sftp://anna@nas.lan",
      "sftp://anna:secret@nas.lan/x",
      "sftp://anna@/x",
      "sftp://@nas.lan/x",
    ],
    ...["sftp://anna@nas.lan:0/x", "sftp://anna@nas.lan:65536/x", "sftp://anna@[nas]/x", "sftp://anna@nas.lan/a//b"],
    ...[
      "sftp://anna@nas.lan/../x",
      "sftp://anna@nas.lan/a/./b",
      "sftp://anna@nas.lan/a%2fb",
      "sftp://anna@nas.lan/%zz",
    ],
    ...["sftp://anna@nas.lan/a%00b", "sftp://an%2fna@nas.lan/x", "sftp://anna@nas.lan/a\nb"],
  ]) {
    expect({ text, place: parsePlace(text) }).toEqual({ text, place: null });
  }
});
