/** The release of x2t that this server was tested with. Its wheel holds programs for one kind of machine. */
export const x2tRelease = {
  package: 'document-builder',
  version: '9.3.0.140',
  wheel: 'document_builder-9.3.0.140-py2.py3-none-manylinux_2_23_x86_64.whl',
  sha256: '9ea2e8c9fed4f582384a9ed597038ee852de43edbf53af7cce921cbbfce21174',
  platform: 'manylinux_2_23_x86_64',
  os: 'linux',
  arch: 'x64',
} as const;

/** A release as it is asked for and checked. */
export interface X2tRelease {
  package: string;
  version: string;
  wheel: string;
  sha256: string;
  platform: string;
}
