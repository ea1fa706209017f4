/** The plans that an owner can choose. The team plan is missing: members get it when they join a team. */
export const PLANS = [
  { value: "free", label: "Free (no API)" },
  { value: "pro", label: "Pro" },
  { value: "autopilot", label: "Autopilot" },
];
