import { t } from '../../strings/strings.ts';
import './footer.css';

/** Says what this is and how it is made. */
export function Footer() {
  return (
    <footer class="footer">
      <p>{t('example.footer')}</p>
      <nav aria-label={t('example.guide')}>
        <a href="integration.md">{t('example.guide')}</a>
        <a href="../welcome/">{t('example.welcome')}</a>
      </nav>
    </footer>
  );
}
