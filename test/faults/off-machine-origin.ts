/** A real S3 server in its own process: its folder and its bucket are the arguments, and it prints its port. */
import type { AddressInfo } from "node:net";
import S3rver from "s3rver";

const [directory, bucket] = process.argv.slice(2) as [string, string];
const origin = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [{ name: bucket, configs: [] }],
});
console.log(((await origin.run()) as AddressInfo).port);
