import type { ComponentChildren } from "preact";
import { Fault } from "../../api/client.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Card, Empty } from "../../parts/layout.tsx";

/** Returns whether the server has no such thread or draft. */
export function isGone(error: unknown): boolean {
  return error instanceof Fault && error.status === 404;
}

interface GoneProps {
  title: string;
  /** The list that it was in. */
  href: string;
  children: ComponentChildren;
}

/** Shown in the place of what does not exist. */
export function Gone({ title, href, children }: GoneProps) {
  return (
    <Card>
      <Empty icon="search" title={title}>
        <p>{children}</p>
        <ButtonLink href={href}>Back to the list</ButtonLink>
      </Empty>
    </Card>
  );
}
