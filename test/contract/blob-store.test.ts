import { FileBlobStore } from '../../services/adapters/file-blob-store.ts';
import { describeBlobStore } from './blob-store.ts';

describeBlobStore('files', (directory) => new FileBlobStore(directory));
