//! Prints what the engine says of every file named.
fn main() {
    for path in std::env::args().skip(1) {
        let loaded = match carom::file::load(std::path::Path::new(&path), &[]) { Ok(l) => l, Err(e) => { println!("{e}"); continue } };
        let assembled = match carom::dynamics::assemble(&loaded.model) { Ok(a) => a, Err(e) => { println!("{path}: {e}"); continue } };
        let mut m = carom::dynamics::Mechanism::new(&loaded.model);
        let at = m.at(&assembled.state).unwrap();
        let r = at.constraint_report();
        for c in 0..loaded.model.contacts.len() {
            let a = carom::impact::Assessment::new(&at, c, &carom::impact::Options { gradients: true, ..Default::default() }).unwrap();
            let w = &a.rows[0];
            println!("{path} {} m_eff {:.7} u {:.7} T {:.7} T_c {:.7} gap {:.2e} rank {}/{} dof {} redundant {:?} notunique {} start {} steps {}", a.contact, w.effective.mass, w.effective.rate, a.energies.total, a.energies.constrained, w.point.gap, r.rank, r.rows, r.freedom, r.redundant, r.not_unique.len(), assembled.start, assembled.steps);
            if let Some(rt) = w.routes { println!("   routes spread {:.2e}", rt.iter().flatten().map(|x| ((x-w.effective.mass)/w.effective.mass).abs()).fold(0.0,f64::max)); }
            println!("   {:?}", assembled.moved);
        }
    }
}
