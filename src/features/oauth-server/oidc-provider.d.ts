declare module "oidc-provider" {
  type Library = import("./library.ts").Library;
  const provider: Library["default"];
  export default provider;
  export const errors: Library["errors"];
  export const interactionPolicy: Library["interactionPolicy"];
}
