import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // A data: URL would need a wider content security policy than `self`.
    assetsInlineLimit: 0,
    target: 'es2023',
  },
});
