import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { TiercelError } from '../errors.ts';
import { addTree, createLayer, type Layer } from './layer.ts';
import { fileSchema } from './schema.ts';

/** The text of a configuration file and the name to call it by in messages. */
export type ConfigFile = { name: string; text: string };

/**
 * The layer that a `tiercel.yaml` gives, each value with its line.
 *
 * @throws TiercelError `config_unreadable` when the text is not YAML.
 */
export function readFileLayer(file: ConfigFile): Layer {
  const lines = new LineCounter();
  // Pretty errors would quote the source, and with it a credential.
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    throw unreadable(`${file.name}:${lines.linePos(error.pos[0]).line}`, error.message, error);
  }
  let content: unknown;
  try {
    content = document.toJS();
  } catch (cause) {
    throw unreadable(file.name, 'its aliases do not resolve.', cause);
  }
  const layer = createLayer();
  addTree(layer, fileSchema, content, [], (path) => {
    const offset = offsetOf(document.contents, path, (node) =>
      isAlias(node) ? node.resolve(document) : node,
    );
    const where = offset === undefined ? file.name : `${file.name}:${lines.linePos(offset).line}`;
    return { where, origin: { kind: 'file', detail: where } };
  });
  return layer;
}

function unreadable(where: string, reason: string, cause: unknown): TiercelError {
  return new TiercelError('config_unreadable', `${where} is not YAML: ${reason}`, { cause });
}

/** Where the key (or the item of a list) at the end of the path begins; as far down as the path can be followed. */
function offsetOf(
  root: unknown,
  path: readonly string[],
  resolve: (node: unknown) => unknown,
): number | undefined {
  let node = resolve(root);
  let offset: number | undefined;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      offset = (pair?.key as Node | undefined)?.range?.[0] ?? offset;
      node = resolve(pair?.value);
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as Node | undefined;
      offset = item?.range?.[0] ?? offset;
      node = resolve(item);
    }
  }
  return offset;
}
