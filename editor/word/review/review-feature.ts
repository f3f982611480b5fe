import type { Feature } from '../word-editor.ts';
import { commentsFeature } from './comments/comments-feature.ts';
import { trackingFeature } from './tracking/tracking-feature.ts';

/** Tracked changes and comments. */
export const reviewFeature: Feature = (editor) => [...trackingFeature(editor), ...commentsFeature(editor)];
