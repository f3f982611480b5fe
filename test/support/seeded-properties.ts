// A set-up file of vitest: gives the properties of each test file the seed of the run.
import fc from 'fast-check';
import { propertySeed, seedVariable } from './property-seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: propertySeed(process.env[seedVariable]) });
