import type { ConversionRecords } from '../../db/conversions.ts';
import type { ConversionJob } from '../../jobs/job.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';

/** To open or to convert a source that is larger is expected to take long, bytes. */
const largeBytes = 8_388_608;

interface Sources {
  blobs: Pick<BlobStore, 'sizeOf'>;
  conversions: Pick<ConversionRecords, 'find'>;
}

/** Whether a job opens or converts a large source. Its file has been fetched by the time when there is a job. */
export async function isOfLargeSource(job: ConversionJob, { blobs, conversions }: Sources): Promise<boolean> {
  const hash = await sourceOf(job, conversions);
  return hash !== undefined && ((await blobs.sizeOf(hash)) ?? 0) > largeBytes;
}

async function sourceOf({ name, data }: ConversionJob, conversions: Sources['conversions']) {
  if (name === 'open') return data.sourceHash;
  return name === 'convert' ? (await conversions.find(data.id))?.sourceHash : undefined;
}
