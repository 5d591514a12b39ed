import CryptoCore
import TestSupport
import Testing

/// Chains with keys of every kind, judged by this module, by swift-certificates and by libcrypto.
@Suite
struct CertificateCorpusTests {
    @Test(arguments: CertificateKeyKind.available)
    func verdictsAndSecondOpinions(_ kind: CertificateKeyKind) async throws {
        let corpus = try await CertificateCorpus(kind)
        let cases = try await corpus.valid() + corpus.invalid()
        #expect(cases.count == 26)
        for item in cases {
            let result = CertificatePathValidator(anchors: item.anchors).validate(item.chain, at: item.time)
            #expect(result.refusal?.reason == item.reason, "\(item.name): \(String(describing: result.refusal))")
            let encodings = (item.chain.map(\.derBytes), item.anchors.map(\.derBytes))
            if kind.isKnownToSwiftCertificates {
                let accepts = try await SecondOpinions.swiftCertificatesAccepts(
                    chain: encodings.0,
                    anchors: encodings.1,
                    at: item.time
                )
                let expected = (item.reason == nil) != item.swiftCertificatesDiffers
                #expect(accepts == expected, "swift-certificates: \(item.name)")
            }
            #if OpenSSL
            let accepts = SecondOpinions.libcryptoAccepts(chain: encodings.0, anchors: encodings.1, at: item.time)
            #expect(accepts == (item.reason == nil), "libcrypto: \(item.name)")
            #endif
        }
    }

    @Test(arguments: CertificateKeyKind.available)
    func everyChangedByteBreaksTheSignature(_ kind: CertificateKeyKind) async throws {
        let corpus = try await CertificateCorpus(kind)
        let leaf = try await corpus.leaf(by: corpus.root)
        let validator = CertificatePathValidator(anchors: [corpus.root.certificate])
        var generator = RepeatableRandomNumberGenerator(seed: 11)
        for _ in 0..<40 {
            let bit = Int.random(in: 0..<leaf.derBytes.count * 8, using: &generator)
            let changed = validator.validate(encodedChain: [leaf.derBytes.flipping(bit)[...]], at: corpus.noon)
            #expect(changed.verified == nil, "bit \(bit)")
        }
    }
}
