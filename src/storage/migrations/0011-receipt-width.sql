-- A receipt with its contents is mostly a little over the 2 kB from which PostgreSQL begins to compress a row, which is a quarter of
-- what storing one costs the embedded engine. Rows up to a page are kept as they are: a third more on disk. Longer ones are compressed.
alter table receipts set (toast_tuple_target = 8160);
