import { Command } from "commander";
import { openWebhooks } from "../app/webhooks.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { printRows } from "./table.ts";
import { personByEmail } from "./user.ts";

const MAX_LISTED = 1_000;

/** Defines the commands that list and test webhook endpoints. */
export function webhookCommands(): Command {
  const group = new Command("webhook").description(
    "List and test webhook endpoints. Add and change them on the settings page or through the API.",
  );
  group.addCommand(
    explained(
      command("list", "List webhook endpoints, including those of test keys.")
        .option("--user <email>", "only endpoints of this person")
        .option("--json", "print JSON"),
      { examples: ["postroom webhook list", "postroom webhook list --user you@example.org --json"] },
    ).action(list),
  );
  group.addCommand(
    explained(
      command("test", "Send a signed webhook.test event to an endpoint and print the response status.")
        .argument("<id>", "endpoint ID, from 'postroom webhook list'")
        .option("--json", "print JSON"),
      {
        notes: "The event is sent at once, is not retried, and does not count as a success or failure of the endpoint.",
        examples: ["postroom webhook test whk_01jz4t9h2m8q5r7v3w6x0y1z2a"],
      },
    ).action(test),
  );
  return group;
}

async function list(options: CommonOptions & { user?: string }): Promise<void> {
  await withPlatform(options, (platform, mailbox) => {
    const webhooks = openWebhooks(platform, mailbox);
    const people = options.user ? [personByEmail(platform, options.user)] : platform.users.list();
    const rows = people.flatMap((person) => {
      const ids = [person.id, platform.users.sandboxOf(person.id).id];
      return ids
        .flatMap((user_id) => webhooks.endpoints.list(user_id, { limit: MAX_LISTED }))
        .map((endpoint) => ({
          id: endpoint.id,
          user: person.email,
          test: endpoint.user_id !== person.id,
          url: endpoint.url,
          events: endpoint.events.join(","),
          status: endpoint.status,
          why: endpoint.disabled_reason,
          failures: endpoint.failure_count,
          last_failure_at: endpoint.last_failure_at && isoTime(endpoint.last_failure_at),
        }));
    });
    webhooks.close();
    printRows(rows, options.json, "No webhook endpoints yet. Create one with POST /v1/webhooks.");
  });
}

async function test(id: string, options: CommonOptions): Promise<void> {
  await withPlatform(options, async (platform, mailbox) => {
    const webhooks = openWebhooks(platform, mailbox);
    try {
      const endpoint = webhooks.endpoints.get(id);
      if (!endpoint)
        throw new UserError(`There is no webhook endpoint ${id}. Run 'postroom webhook list' to see all endpoints.`);
      const { user_id } = endpoint;
      const { delivery } = await webhooks.service.ping(
        { user_id, actor: { kind: "user", id: user_id }, request_id: null },
        id,
      );
      const [attempt] = webhooks.deliveries.attempts(endpoint, delivery.id, 1);
      const { response_status: status, duration_ms, error } = attempt!;
      if (error !== null) throw new UserError(`${endpoint.url}: ${error}.`);
      const result = { id, delivery_id: delivery.id, status, duration_ms };
      console.log(
        options.json ? JSON.stringify(result) : `${endpoint.url} responded with ${status} after ${duration_ms} ms.`,
      );
    } finally {
      webhooks.close();
    }
  });
}
