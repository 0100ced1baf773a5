import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Feed, type FeedPage, type Item, indexFrom } from './feed.ts';

const idOf = (number: number) => String(number).padStart(6, '0');
const ids = (rows: readonly Item[]) => rows.map(({ id }) => Number(id));

/** A ledger that grows, and gives pages below a cursor. */
function createStored(count: number, limit = 50) {
  const stored: Item[] = Array.from({ length: count }, (_, at) => ({ id: idOf(at + 1) }));
  const fetchPage = async (cursor: string | null): Promise<FeedPage<Item>> => {
    const below = stored.filter(({ id }) => cursor === null || id < cursor).reverse();
    const data = below.slice(0, limit);
    return { data, next: below.length > limit ? (data.at(-1)?.id ?? null) : null };
  };
  const append = () => {
    const item = { id: idOf(stored.length + 1) };
    stored.push(item);
    return item;
  };
  return { fetchPage, append };
}

describe('Feed', () => {
  it('shows what comes at once while it follows', async () => {
    const { fetchPage, append } = createStored(3);
    const feed = new Feed({ fetchPage, isWanted: () => true });
    await feed.fetchMore();
    feed.hear([append()]);
    expect(ids(feed.state.rows)).toEqual([4, 3, 2, 1]);
    expect(feed.state.waiting).toBe(0);
  });

  it('moves nothing while the list is read, and counts what waits', async () => {
    const { fetchPage, append } = createStored(3);
    const feed = new Feed({ fetchPage, isWanted: () => true });
    await feed.fetchMore();
    feed.follow(false);
    const shown = feed.state.rows;
    feed.hear([append(), append()]);
    expect(feed.state.rows).toBe(shown);
    expect(feed.state.waiting).toBe(2);
    feed.show();
    expect(ids(feed.state.rows)).toEqual([5, 4, 3, 2, 1]);
  });

  it('shows an event once that comes by the stream and by the page', async () => {
    const { fetchPage, append } = createStored(3);
    const feed = new Feed({ fetchPage, isWanted: () => true });
    feed.hear([append()]);
    await feed.fetchMore();
    expect(ids(feed.state.rows)).toEqual([4, 3, 2, 1]);
  });

  it('looks on by itself where a filter lets little through, and says how far', async () => {
    const { fetchPage } = createStored(1000, 100);
    const feed = new Feed({ fetchPage, isWanted: ({ id }) => Number(id) <= 60 });
    const looked: (string | null)[] = [];
    feed.watch(() => looked.push(feed.state.searchedTo));
    await feed.fetchMore();
    expect(feed.state.rows).toHaveLength(60);
    expect(looked).toContain(idOf(501));
  });

  it('fetches each page once, whoever asks first, and goes on after it was closed', async () => {
    const { fetchPage } = createStored(120, 50);
    const asked: (string | null)[] = [];
    const counted = (cursor: string | null) => {
      asked.push(cursor);
      return fetchPage(cursor);
    };
    const feed = new Feed({ fetchPage: counted, isWanted: () => true });
    const first = feed.fetchMore();
    feed.open();
    await Promise.all([first, feed.fetchMore()]);
    expect(asked).toEqual([null]);
    const cut = feed.fetchMore();
    feed.close();
    feed.open();
    await Promise.all([cut, feed.fetchMore()]);
    expect(ids(feed.state.rows)).toEqual(Array.from({ length: 100 }, (_, at) => 120 - at));
  });

  it('finds after a cut what it could not hear', async () => {
    const { fetchPage, append } = createStored(3);
    const feed = new Feed({ fetchPage, isWanted: () => true });
    await feed.fetchMore();
    append();
    append();
    await feed.catchUp();
    expect(ids(feed.state.rows)).toEqual([5, 4, 3, 2, 1]);
  });

  it('begins anew when more was missed than a page holds', async () => {
    const { fetchPage, append } = createStored(60);
    const feed = new Feed({ fetchPage, isWanted: () => true });
    await feed.fetchMore();
    feed.follow(false);
    for (let missed = 0; missed < 80; missed++) append();
    await feed.catchUp();
    expect(feed.state.overflow).toBe(true);
    feed.show();
    await expect.poll(() => ids(feed.state.rows)[0]).toBe(140);
    await feed.fetchMore();
    expect(ids(feed.state.rows)).toEqual(Array.from({ length: 100 }, (_, at) => 140 - at));
  });

  it('neither repeats nor skips an event, in whatever order pages and news come', async () => {
    const step = fc.constantFrom('page', 'news', 'lost', 'catch up', 'read', 'follow', 'show');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { fetchPage, append } = createStored(120, 20);
        const feed = new Feed({ fetchPage, isWanted: () => true });
        await feed.fetchMore();
        let isLost = false;
        for (const one of steps) {
          if (one === 'page') await feed.fetchMore();
          // What is not heard is caught up with before anything else is heard, as after a cut.
          if (one === 'lost') isLost = append() !== undefined;
          if (one === 'catch up' || isLost) await feed.catchUp();
          isLost = false;
          if (one === 'news') feed.hear([append()]);
          if (one === 'read' || one === 'follow') feed.follow(one === 'follow');
          if (one === 'show') feed.show();
        }
        feed.show();
        const shown = ids(feed.state.rows);
        const [top = 0] = shown;
        return shown.every((id, at) => id === top - at);
      }),
    );
  });
});

describe('indexFrom', () => {
  it('finds the row, or the next older one', () => {
    const rows = [{ id: '9' }, { id: '6' }, { id: '3' }];
    expect(['9', '8', '6', '1'].map((id) => indexFrom(rows, id))).toEqual([0, 1, 1, 3]);
  });
});
