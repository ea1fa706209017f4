/** Says how the owner who is the only person here can let assistants connect. */
export function LiftLimits() {
  return (
    <p>
      Choose <strong>None</strong> in <a href="#/usage">Limits for programs</a>. Assistants can connect then.
    </p>
  );
}
