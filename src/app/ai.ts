import { agentRoutes } from "../features/agent/routes.ts";
import { AGENT_JOB, AgentSchedule } from "../features/agent/schedule.ts";
import { AgentService } from "../features/agent/service.ts";
import { AgentStore } from "../features/agent/store.ts";
import { CircuitBreaker } from "../features/ai/circuit-breaker.ts";
import { DraftNotes } from "../features/ai/draft-notes.ts";
import { DraftReview, type KeptTexts } from "../features/ai/draft-review.ts";
import { Drafting } from "../features/ai/drafting.ts";
import { Engines } from "../features/ai/engines.ts";
import { type Retrieve, retrieveByReading } from "../features/ai/retrieve.ts";
import { aiRoutes } from "../features/ai/routes.ts";
import { AiService } from "../features/ai/service.ts";
import type { DraftContext, DraftWriter } from "../features/ai/write-draft.ts";
import type { CompileBrief } from "../features/brief/compile.ts";
import { BRIEF_JOB } from "../features/brief/daily.ts";
import { briefRoutes } from "../features/brief/routes.ts";
import type { Route } from "../http/route.ts";
import { lazyAsync } from "../kernel/lazy.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { Conversations } from "../mailbox/queries/conversations.ts";
import type { Embed } from "../ml/extract/rank.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import { yieldInSlices } from "../platform/process/yielding.ts";
import { createBriefs, vipAddresses } from "./brief.ts";
import type { PeopleServices } from "./people.ts";

/** The AI layer: its answers, its scheduled work and its routes. */
export interface AiServices {
  routes: Route[];
  jobs: Record<string, JobHandler>;
  engines: Engines;
  /** The parts of the AI layer that drafting needs. */
  drafting: Drafting;
  /** Applies the draft firewall to drafts of assistants. */
  draftReview: DraftReview;
  /** Starts the scheduled work. */
  start(): void;
  /** Deletes rows that would otherwise accumulate. */
  prune(): void;
}

/**
 * The dependencies of the AI layer. `retrieve` and `embed` come from search, where it is available. Briefs are compiled
 * by `compile`, or on this thread if it is left out.
 */
export interface AiParts {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
  retrieve?: Retrieve;
  embed?: Embed;
  compile?: CompileBrief;
}

const DAY_MS = 86_400_000;
const BRIEFS_KEPT_DAYS = 90;

/**
 * Builds the AI layer. It turns mail into answers with evidence, drafts and briefs, with rules and the embedding model
 * on this machine or with the configured language model.
 */
export function createAi(parts: AiParts): AiServices {
  const { platform, mailbox, outbound, people } = parts;
  const conversations = new Conversations(platform, mailbox.accounts);
  const answers = createAnswers(parts, conversations);
  const compile = parts.compile ?? compilerOnThisThread(platform);
  const briefs = createBriefs({ platform, mailbox, outbound, people, conversations, compile });
  const agent = createAgent(parts, conversations, answers);
  return {
    routes: [...briefRoutes(briefs.service), ...aiRoutes(answers), ...agentRoutes(agent.service)],
    jobs: { [BRIEF_JOB]: briefs.daily.handler, [AGENT_JOB]: agent.schedule.handler },
    engines: answers.engines,
    drafting: answers.drafting,
    draftReview: new DraftReview({
      conversations,
      kept: (user_id) => everythingKept(platform, people, user_id),
      isAiDraft: (user_id, draft_id) => answers.notes.get(user_id, draft_id) !== null,
    }),
    start() {
      briefs.daily.start();
      agent.schedule.start();
    },
    prune() {
      const before = (days: number) => platform.clock.now() - days * DAY_MS;
      briefs.store.prune(before(BRIEFS_KEPT_DAYS));
      agent.store.prune(before(platform.config.get("retention.audit_days")));
      platform.modelCalls.prune(before(platform.config.get("retention.ai_calls_days")));
    },
  };
}

/** Compiles briefs without a worker, as in a server that has none. */
function compilerOnThisThread(platform: Platform): CompileBrief {
  const loaded = lazyAsync(async () => {
    const { briefCompiler } = await import("../features/brief/compile.ts");
    return briefCompiler(platform, yieldInSlices());
  });
  return async (asked) => (await loaded())(asked);
}

/** Builds asking, summarizing, extracting and drafting. */
function createAnswers({ platform, mailbox, people, retrieve, embed }: AiParts, conversations: Conversations) {
  const { log } = platform;
  const threads = mailbox.threadQueries;
  const engines = new Engines(platform);
  const meaning = embed ? { embed } : {};
  // Each is loaded when it is first used: a start is faster without their code and tables.
  const asker = lazyAsync(async () => {
    const { Asker } = await import("../features/ai/ask.ts");
    return new Asker({
      conversations,
      engines,
      log,
      retrieve: retrieve ?? retrieveByReading(conversations),
      now: () => platform.clock.now(),
      ...meaning,
    });
  });
  const summarizer = lazyAsync(async () => {
    const { Summarizer } = await import("../features/ai/summarize.ts");
    return new Summarizer({ threads, conversations, engines, log, ...meaning });
  });
  const extractor = lazyAsync(async () => {
    const { Extractor } = await import("../features/ai/extract.ts");
    return new Extractor(threads, conversations);
  });
  const loadedWriter = lazyAsync(async () => {
    const { DraftWriter } = await import("../features/ai/write-draft.ts");
    const { WritingStyles } = await import("../features/ai/writing-style.ts");
    const writingStyles = new WritingStyles(platform, writingStyleVariables(people));
    const context = (user_id: string, emails: readonly string[]) => contextOf(people, user_id, emails);
    return new DraftWriter({ conversations, engines, writingStyles, log, context });
  });
  const writer: Pick<DraftWriter, "write"> = { write: async (request) => (await loadedWriter()).write(request) };
  const notes = new DraftNotes(platform);
  const service = new AiService(
    platform,
    { ask: async (...asked) => (await asker()).ask(...asked) },
    { summarize: async (...asked) => (await summarizer()).summarize(...asked) },
    { extract: async (...asked) => (await extractor()).extract(...asked) },
  );
  return {
    service,
    engines,
    calls: platform.modelCalls,
    writer,
    notes,
    drafting: new Drafting(platform, threads, writer, notes),
  };
}

function createAgent(
  { platform, mailbox, outbound, people }: AiParts,
  conversations: Conversations,
  { writer, notes }: ReturnType<typeof createAnswers>,
) {
  const store = new AgentStore(platform);
  const ruled = (user_id: string) =>
    people.rules.list({ user_id, account_id: null }).some(({ kind }) => kind === "agent");
  const service = new AgentService({
    platform,
    conversations,
    threads: mailbox.threadQueries,
    changes: mailbox.changes,
    drafts: outbound.drafts,
    store,
    ruled,
    authority: (user_id, message_id) => people.ruleEngine.authorityOver(user_id, message_id),
    vips: (user_id) => vipAddresses(people, user_id),
    hasDraft: (user_id, thread_id) => outbound.draftStore.answers(user_id, thread_id),
    writer: () => {
      const breaker = new CircuitBreaker();
      return (scope, thread_id, instructions) =>
        writer.write({ scope, thread_id, instructions, to: [], unasked: true, breaker });
    },
    // No one asked for this draft, so it waits for review even if the firewall would let it pass.
    keepNote: (user_id, draft_id, draft, credits) =>
      notes.save(user_id, draft_id, { ...draft, held_for_review: true, credits }),
  });
  const schedule = new AgentSchedule({
    platform,
    wanted: ({ id }) => ruled(id),
    run: (user) => service.run(user, null),
  });
  return { service, store, schedule };
}

/** Reads and writes the user's variables for the writing style. The audit log records these writes as the system's. */
function writingStyleVariables({ context }: PeopleServices) {
  return {
    read: (user_id: string) => Object.fromEntries(context.variables(user_id).map(({ key, value }) => [key, value])),
    set: (user_id: string, key: string, value: string) =>
      void context.setVariable({ user_id, actor: SYSTEM_ACTOR, request_id: null }, key, value),
  };
}

const MAX_FILES = 10;
const MAX_LISTED = 500;
/** Time for which a value that a program has removed is still protected. */
const REMOVED_KEPT_DAYS = 30;
const MAX_CHANGES = 1_000;

/**
 * Returns what the user keeps about the people with these addresses: variables, and the notes, summary and files of
 * their profiles.
 */
function contextOf(
  { context, contextFiles }: PeopleServices,
  user_id: string,
  emails: readonly string[],
): DraftContext {
  const { profile, variables } = context.forAddresses(user_id, emails);
  // Files of other clients' profiles are excluded.
  const files = contextFiles
    .list(user_id, null, null, MAX_LISTED)
    .filter(({ profile_id }) => profile_id === null || profile_id === profile?.id)
    .slice(0, MAX_FILES);
  const texts = [
    { name: "the profile's summary", text: profile?.summary ?? "" },
    { name: "your notes", text: profile?.notes.map(({ text }) => text).join("\n") ?? "" },
    ...files.map(({ id, name }) => ({ name: `the file ${name}`, text: contextFiles.text(user_id, id) ?? "" })),
  ];
  return { variables, privateTexts: texts.filter(({ text }) => text !== "") };
}

/** Returns what the user keeps about all clients. */
function everythingKept(platform: Platform, { context, contextFiles }: PeopleServices, user_id: string): KeptTexts {
  const profiles = context.profiles(user_id, null, MAX_LISTED);
  const ofProfile = profiles.flatMap(({ domain, variables }) =>
    Object.entries(variables).map(([key, value]) => [`${domain}: ${key}`, value] as const),
  );
  const globals = context.variables(user_id).map(({ key, value }) => [key, value] as const);
  const notes = profiles.flatMap(({ domain, summary, notes }) => [
    { name: `the summary of ${domain}`, text: summary },
    { name: `the notes about ${domain}`, text: notes.map(({ text }) => text).join("\n") },
  ]);
  const files = contextFiles
    .list(user_id, null, null, MAX_LISTED)
    .map(({ id, name }) => ({ name: `the file ${name}`, text: contextFiles.text(user_id, id) ?? "" }));
  return {
    variables: Object.fromEntries([...globals, ...removedVariables(platform, user_id), ...ofProfile]),
    privateTexts: [...notes, ...files].filter(({ text }) => text !== ""),
  };
}

/**
 * Returns the values that programs have removed or replaced lately. Otherwise an assistant could remove a value and then
 * send it as a text that no one protects.
 */
function removedVariables({ audit, clock }: Platform, user_id: string): [string, string][] {
  const since = clock.now() - REMOVED_KEPT_DAYS * DAY_MS;
  const changes = audit.list(user_id, { action: "context.profile.update", limit: MAX_CHANGES });
  return changes
    .filter(({ actor, at }) => at >= since && (actor.kind === "key" || actor.kind === "assistant"))
    .flatMap(({ before, after }) => {
      const [earlier, later] = [before, after] as { domain: string; variables: Record<string, string> }[];
      return Object.entries(earlier!.variables)
        .filter(([key, value]) => later!.variables[key] !== value)
        .map(([key, value]) => ({ name: `${earlier!.domain}: ${key}`, value }));
    })
    .map(({ name, value }, i) => [`${name} (earlier value ${i + 1})`, value]);
}
