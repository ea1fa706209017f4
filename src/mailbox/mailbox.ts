import type { Platform } from "../platform/platform.ts";
import { Accounts } from "./accounts/accounts.ts";
import { Changes } from "./changes/changes.ts";
import { LabelChanges } from "./changes/label-changes.ts";
import { LabelProgress } from "./changes/label-progress.ts";
import { PendingChanges } from "./changes/pending-changes.ts";
import { Snooze } from "./changes/snooze.ts";
import { FolderQueries } from "./queries/folders.ts";
import { LabelQueries } from "./queries/labels.ts";
import { MessageQueries } from "./queries/messages.ts";
import { RecentSubjects } from "./queries/recent-subjects.ts";
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

/** The mailbox module: one instance per thread of execution, on top of that thread's platform. */
export interface Mailbox {
  accounts: Accounts;
  folders: Folders;
  labels: Labels;
  threads: Threads;
  importer: Importer;
  locationSync: LocationSync;
  locations: Locations;
  /** Changes that are not on the servers yet. */
  pending: PendingChanges;
  /** Holds sent messages until the server shows them. */
  localFolder: LocalFolder;
  /** The queries behind the threads and messages of the API. */
  threadQueries: ThreadQueries;
  messageQueries: MessageQueries;
  labelQueries: LabelQueries;
  folderQueries: FolderQueries;
  /** Completes subjects as they are typed. */
  recentSubjects: RecentSubjects;
  /** Changes made by people, rules and the agent. */
  changes: Changes;
  /** Creates, renames and deletes labels. */
  labelChanges: LabelChanges;
  snooze: Snooze;
  /** The full-text index of all messages. */
  fullText: FullTextIndex;
  search: FullTextSearch;
  /** Indexes mail again from its stored text. */
  reindexer: Reindexer;
  /** Attachments whose text is searched as well. */
  fileTexts: FileTexts;
  /** The time that relative dates in a query count from, ms. */
  now: () => number;
}

/** Creates the parts of the mailbox and connects them. */
export function createMailbox(platform: Platform): Mailbox {
  const accounts = new Accounts(platform);
  const folders = new Folders(platform);
  const labels = new Labels(platform.db, platform.keyring, platform.newId);
  const fullText = new FullTextIndex(platform);
  const threads = new Threads(platform);
  const threadQueries = new ThreadQueries(platform, labels);
  const progress = new LabelProgress(platform);
  const parts = { platform, accounts, folders, labels, threads, queries: threadQueries, labelProgress: progress };
  const changes = new Changes(parts);
  const queries = new LabelQueries(platform, labels);
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
    labelQueries: queries,
    folderQueries: new FolderQueries(platform, accounts, folders),
    recentSubjects: new RecentSubjects(platform),
    changes,
    labelChanges: new LabelChanges({ platform, accounts, labels, progress, queries, threadQueries, changes }),
    snooze: new Snooze(platform, threadQueries, changes),
    fullText,
    reindexer: new Reindexer(platform, fullText),
    fileTexts: new FileTexts(platform, fullText),
    search: new FullTextSearch(platform, labels),
    now: () => platform.clock.now(),
  };
}
