/**
 * Runs before each test file. Files of one worker share its process, which saves starting one for each, but no module:
 * what a helper keeps, and the hooks that it registers, belong to one file.
 */
import { vi } from 'vitest';

vi.resetModules();
