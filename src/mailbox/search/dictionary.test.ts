import { expect, test } from "bun:test";
import { IndexModel } from "../../../test/support/index-model.ts";
import { manyWords, onlyText } from "../../../test/support/naive-index.ts";
import { scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { SegmentDictionary } from "./dictionary.ts";
import { Snapshots } from "./segments/snapshot.ts";
import { BlockCache } from "./segments/store.ts";
import { MAX_TRIED, QueryTerms } from "./word-terms.ts";

function withDictionary(check: (dictionary: SegmentDictionary) => void): void {
  const s = scratchPlatform();
  const model = new IndexModel(s);
  model.add(onlyText(`invoice invoices ${manyWords(200)}`));
  const { db, keyring } = s.platform;
  keyring.forUser(model.user_id);
  check(new SegmentDictionary(new Snapshots({ db, keyring }, new BlockCache(8)).uncached(model.user_id)));
  s.close();
}

test("a dictionary finds no term beyond its visit limit, and finds the same terms with and without cached counts", () => {
  withDictionary((dictionary) => {
    const search = () => {
      dictionary.allow(130);
      const found: unknown[] = [dictionary.count("invoice")];
      dictionary.range("a", (term) => void found.push(term));
      return [...found, dictionary.count("invoices")];
    };
    const first = search();
    expect(first.at(0)).toBe(1);
    expect(first.at(-1)).toBe(0);
    expect(search()).toEqual(first);
    dictionary.allow(1_000);
    expect(dictionary.count("invoices")).toBe(1);
  });
});

test("only a few of many unknown words are tried in another spelling", () => {
  withDictionary((dictionary) => {
    const terms = new QueryTerms(dictionary);
    for (let i = 0; i < MAX_TRIED; i++) terms.of(`${"qxzvw".repeat(2)}${String.fromCharCode(97 + i)}`);
    expect(terms.of("invocie").correction).toBeNull();
    expect(new QueryTerms(dictionary).of("invocie").correction).toEqual({ from: "invocie", to: "invoice" });
  });
});
