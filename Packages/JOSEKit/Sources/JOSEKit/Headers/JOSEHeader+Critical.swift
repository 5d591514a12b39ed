extension JOSEHeader {
    /// The names that RFC 7515, RFC 7516 and RFC 7518 define, which `crit` must not list.
    private static let registeredNames: Set<String> = [
        "alg", "jku", "jwk", "kid", "x5u", "x5c", "x5t", "x5t#S256", "typ", "cty", "crit", "enc", "zip", "epk", "apu",
        "apv",
        "iv", "tag", "p2s", "p2c",
    ]

    /// Checks the rules of `crit` in this header, which is the protected one (RFC 7515, section 4.1.11).
    ///
    /// - Parameter whole: The union of all headers, in which every critical parameter must be.
    func validateCritical(in whole: JOSEHeader) throws(JOSEError) {
        for name in try critical() ?? [] {
            guard !Self.registeredNames.contains(name) else {
                throw JOSEError(.invalidCritical, "\(name) is no extension", path: ["crit"])
            }
            guard whole.contains(name) else {
                throw JOSEError(.invalidCritical, "a critical parameter is absent", path: ["crit", name])
            }
        }
    }

    /// Refuses unknown critical parameters.
    ///
    /// - Parameters:
    ///   - understood: The names that the caller processes.
    ///   - own: The names that this library processes.
    func requireCritical(in understood: Set<String>, or own: [String] = []) throws(JOSEError) {
        guard let names = try critical() else { return }
        for name in names {
            let isSame = { (known: String) in known.hasSameBytes(as: name) }
            guard understood.contains(where: isSame) || own.contains(where: isSame) else {
                throw JOSEError(.criticalNotUnderstood, "unknown extension", path: ["crit", name])
            }
        }
    }
}
