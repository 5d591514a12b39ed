extension IdemixKeyElements {
    /// Refuses numbers that no honest issuer's key has.
    ///
    /// Required: n odd and of 1024, 2048 or 4096 bits; every base above 1, below n and coprime with n; no base twice; a
    /// base for the secret key, for the metadata and for at least one attribute's place, at most ``maximumBases``.
    func validated() throws(IdemixError) -> IdemixSystemParameters {
        guard !n.isNegative else { throw IdemixError(.invalidKey, "the modulus is negative", path: ["n"]) }
        let parameters = try IdemixSystemParameters(modulusBits: n.bitCount)
        guard n.isOdd else { throw IdemixError(.invalidKey, "the modulus is even", path: ["n"]) }
        guard R.count >= 2 else {
            throw IdemixError(.invalidKey, "\(R.count) bases are too few: the first two are always used", path: ["R"])
        }
        guard R.count <= Self.maximumBases else {
            throw IdemixError(.limitExceeded, "\(R.count) bases, \(Self.maximumBases) allowed", path: ["R"])
        }
        var seen: Set<BigInteger> = []
        for (name, base) in named {
            guard base > 1, base < n else {
                throw IdemixError(.invalidKey, "the base is not between 1 and the modulus", path: [name])
            }
            guard base.greatestCommonDivisor(with: n) == 1 else {
                throw IdemixError(.invalidKey, "the base shares a factor with the modulus", path: [name])
            }
            guard seen.insert(base).inserted else {
                throw IdemixError(.invalidKey, "the base occurs twice", path: [name])
            }
        }
        return parameters
    }

    /// The largest number of bases in a key.
    public static let maximumBases = 1_000

    private var named: [(name: String, base: BigInteger)] {
        var bases = [("Z", Z), ("S", S)] + R.enumerated().map { ("R[\($0.offset)]", $0.element) }
        if let G { bases.append(("G", G)) }
        if let H { bases.append(("H", H)) }
        return bases
    }
}
