import { createHash } from "node:crypto";
import type { IExecuteFunctions } from "n8n-workflow";

/**
 * Returns the Idempotency-Key of an item: the same when n8n tries the node again within an execution, another one in
 * another execution, node, item or round of a loop.
 */
export function idempotencyKey(functions: IExecuteFunctions, itemIndex: number): string {
  const round = functions.getWorkflowDataProxy(itemIndex).$runIndex as number;
  const execution = functions.getExecutionId();
  const place = [functions.getInstanceId(), functions.getWorkflow().id, functions.getNode().id, round, itemIndex];
  const digest = createHash("sha256")
    .update(JSON.stringify([execution, ...place]))
    .digest("hex");
  return `n8n-${execution}-${itemIndex}-${digest.slice(0, 32)}`;
}
