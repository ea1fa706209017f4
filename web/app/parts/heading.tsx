import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The first heading leaves the focus at the top of the page, where the skip button is. */
let first = true;

/**
 * The heading of a page or of a step. It takes the focus when it replaces another one, so that screen readers start
 * there, unless a field or a dialog of the new page already has the focus.
 */
export function Heading({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const left = activeElement === document.body || activeElement?.closest("nav, .skip") || isHidden(activeElement);
    if (!first && left) heading.current?.focus();
    first = false;
  }, []);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

/** Returns whether an element cannot be seen any more, such as the menu of a phone that was closed. */
function isHidden(element: Element | null): boolean {
  return element !== null && element.getClientRects().length === 0;
}
