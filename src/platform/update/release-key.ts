/**
 * The public key with which releases are signed, as minisign prints it; null until the project has one. `install.sh`
 * has the same key, and a test compares them. docs/operations.md, "Sign your own releases", describes the private key.
 */
export const RELEASE_KEY: string | null = null;
