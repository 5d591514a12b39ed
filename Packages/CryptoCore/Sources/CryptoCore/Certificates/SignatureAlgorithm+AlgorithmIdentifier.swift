extension SignatureAlgorithm {
    /// The algorithm that an AlgorithmIdentifier names (RFC 3279, 4055, 5758, 8410), or nil for one that this module
    /// does not know: another identifier, or parameters that are not as those texts say.
    init?(algorithmIdentifier: ArraySlice<UInt8>) {
        for entry in Self.fixedIdentifiers where entry.identifier.elementsEqual(algorithmIdentifier) {
            self = entry.algorithm
            return
        }
        guard let algorithm = try? Self.pss(algorithmIdentifier) else { return nil }
        self = algorithm
    }

    /// The AlgorithmIdentifier to write.
    var algorithmIdentifier: [UInt8] {
        if case .rsaPSS(let hash, let mgf, let saltLength) = kind {
            return Self.pssIdentifier(hash, mgf: mgf, saltLength: saltLength)
        }
        return Self.fixedIdentifiers.first { $0.algorithm == self }?.identifier ?? []
    }

    /// The identifiers without parameters of their own.
    ///
    /// Of several identifiers for one algorithm, the first is written.
    private static let fixedIdentifiers: [(algorithm: SignatureAlgorithm, identifier: [UInt8])] = {
        let ecdsa: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04]
        let pkcs1: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01]
        let withoutParameters: [(SignatureAlgorithm, [UInt8])] = [
            (.ecdsaSHA256, ecdsa + [0x03, 0x02]), (.ecdsaSHA384, ecdsa + [0x03, 0x03]),
            (.ecdsaSHA512, ecdsa + [0x03, 0x04]), (.ed25519, [0x2b, 0x65, 0x70]), (.ed448, [0x2b, 0x65, 0x71]),
            (Insecure.ecdsaSHA1, ecdsa + [0x01]),
        ]
        let withNull: [(SignatureAlgorithm, [UInt8])] = [
            (.rsaPKCS1SHA256, pkcs1 + [0x0b]), (.rsaPKCS1SHA384, pkcs1 + [0x0c]), (.rsaPKCS1SHA512, pkcs1 + [0x0d]),
            (Insecure.rsaPKCS1SHA1, pkcs1 + [0x05]),
        ]
        // RFC 4055, 5: NULL is to be written, and its absence to be accepted.
        return withoutParameters.map { ($0, identifier($1, parameters: [])) }
            + withNull.map { ($0, identifier($1, parameters: [0x05, 0x00])) }
            + withNull.map { ($0, identifier($1, parameters: [])) }
    }()

    private static func identifier(_ id: [UInt8], parameters: [UInt8]) -> [UInt8] {
        DERValue.sequence([.objectIdentifier(id), .encoded(parameters)]).encoded
    }
}
