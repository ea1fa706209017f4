import type { Platform } from "../platform/platform.ts";
import { Accounts } from "./accounts/accounts.ts";
import { Changes } from "./changes/changes.ts";
import { PendingChanges } from "./changes/pending-changes.ts";
import { Snooze } from "./changes/snooze.ts";
import { MessageQueries } from "./queries/messages.ts";
import { ThreadQueries } from "./queries/threads.ts";
import { FileTexts } from "./search/file-texts.ts";
import { FullTextIndex } from "./search/fulltext-index.ts";
import { Reindexer } from "./search/reindex.ts";
import { FullTextSearch } from "./search/search.ts";
import { Folders } from "./store/folders.ts";
import { Importer } from "./store/importer.ts";
import { Labels } from "./store/labels.ts";
import { LocalFolder } from "./store/local-folder.ts";
import { LocationSync } from "./store/location-sync.ts";
import { Locations } from "./store/locations.ts";
import { Threads } from "./threading/threads.ts";

/** The mailbox room: one of each per thread of execution, over that thread's platform. */
export interface Mailbox {
  accounts: Accounts;
  folders: Folders;
  labels: Labels;
  threads: Threads;
  importer: Importer;
  locationSync: LocationSync;
  locations: Locations;
  /** Changes on their way to the servers. */
  pending: PendingChanges;
  /** Where sent messages lie until the server shows them. */
  localFolder: LocalFolder;
  /** What the API shows of threads, and of messages. */
  threadQueries: ThreadQueries;
  messageQueries: MessageQueries;
  /** What people, rules and the agent change. */
  changes: Changes;
  snooze: Snooze;
  /** The terms of all messages. */
  fullText: FullTextIndex;
  search: FullTextSearch;
  /** Indexes mail from its stored text. */
  reindexer: Reindexer;
  /** Attachments whose text is searched, too. */
  file_texts: FileTexts;
  /** The time that periods of a query count from, ms. */
  now: () => number;
}

export function createMailbox(platform: Platform): Mailbox {
  const accounts = new Accounts(platform);
  const folders = new Folders(platform);
  const labels = new Labels(platform.db, platform.keyring, platform.newId);
  const fullText = new FullTextIndex(platform);
  const threads = new Threads(platform);
  const threadQueries = new ThreadQueries(platform, labels);
  const changes = new Changes({ platform, accounts, folders, labels, threads, queries: threadQueries });
  return {
    accounts,
    folders,
    labels,
    threads,
    importer: new Importer(platform, threads, labels),
    locationSync: new LocationSync(platform, threads, labels),
    locations: new Locations(platform, folders),
    pending: new PendingChanges(platform),
    localFolder: new LocalFolder(platform, folders),
    threadQueries,
    messageQueries: new MessageQueries(platform, labels),
    changes,
    snooze: new Snooze(platform, threadQueries, changes),
    fullText,
    reindexer: new Reindexer(platform, fullText),
    file_texts: new FileTexts(platform, fullText),
    search: new FullTextSearch(platform, labels),
    now: () => platform.clock.now(),
  };
}
