public import CryptoCore
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A whole set of certificates and keys for mdocs, made up on the spot: for tests, demonstrations and development.
///
/// ```swift
/// let pki = try await MdocTestPKI.make()
/// let validator = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: .mdocDocumentSigner)
/// let result = validator.validate([pki.documentSigner], at: Date())
/// ```
/// The certificates keep the profiles of ISO/IEC 18013-5, Annex B; the country is UT, Utopia, and the keys live in memory.
public struct MdocTestPKI: Sendable {
    /// The issuing authority with its IACA root.
    public let iaca: CertificateAuthority

    /// The document signer's certificate, issued by ``iaca``.
    public let documentSigner: Certificate

    /// The document signer's key.
    public let documentSignerKey: PrivateKey

    /// The authority of the readers.
    public let readerAuthority: CertificateAuthority

    /// The reader's certificate, issued by ``readerAuthority``.
    public let reader: Certificate

    /// The reader's key.
    public let readerKey: PrivateKey

    /// Makes new keys and certificates.
    ///
    /// - Parameters:
    ///   - curve: The curve of all keys.
    ///   - country: The country of all names; by default Utopia, which ISO 3166-1 does not list.
    ///   - time: The certificates are valid from the day before on: the signers' for a year, the roots for five.
    ///   - randomness: The source of keys and serial numbers. With the same bytes and the same time, only the
    ///     signatures differ.
    /// - Throws: `CryptoError` for a curve that is not allowed or has no engine in this build.
    public static func make(
        curve: EllipticCurve = .p256,
        country: String = "UT",
        at time: Date = Date(),
        using randomness: some RandomSource = .system
    ) async throws -> MdocTestPKI {
        let day: TimeInterval = 86_400
        let start = Date(timeIntervalSince1970: (time.timeIntervalSince1970 / day).rounded(.down) * day - day)
        let long = start...start.addingTimeInterval(5 * 365 * day)
        let short = start...start.addingTimeInterval(365 * day)
        let documentSignerKey = try PrivateKey.generate(curve, using: randomness)
        let readerKey = try PrivateKey.generate(curve, using: randomness)
        let iaca = try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: country, organizationName: "Utopia", commonName: "Utopia IACA"),
            contact: .uri("https://utopia.example/iaca"),
            signer: SoftwareSigner(PrivateKey.generate(curve, using: randomness)),
            validity: long,
            using: randomness
        )
        let readerContact = CertificateExtension.issuerAlternativeName([.uri("https://utopia.example/readers")])
        let readerAuthority = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: country, commonName: "Utopia reader CA"),
            signer: SoftwareSigner(PrivateKey.generate(curve, using: randomness)),
            validity: long,
            pathLength: 0,
            extensions: [readerContact],
            using: randomness
        )
        return MdocTestPKI(
            iaca: iaca,
            documentSigner: try await iaca.issueDocumentSigner(
                commonName: "Utopia document signer",
                publicKey: documentSignerKey.publicKey,
                validity: short,
                revocationListURI: "https://utopia.example/iaca.crl",
                using: randomness
            ),
            documentSignerKey: documentSignerKey,
            readerAuthority: readerAuthority,
            reader: try await readerAuthority.issueReader(
                subject: DistinguishedName(countryName: country, commonName: "Utopia reader"),
                publicKey: readerKey.publicKey,
                validity: short,
                revocationListURI: "https://utopia.example/readers.crl",
                extensions: [readerContact],
                using: randomness
            ),
            readerKey: readerKey
        )
    }
}

/// A `RandomSource` over any random number generator; with a seeded one, everything that draws from it repeats.
public final class GeneratorRandomSource<Generator: RandomNumberGenerator & Sendable>: RandomSource {
    private let generator: Mutex<Generator>

    /// Takes over a generator.
    public init(_ generator: Generator) {
        self.generator = Mutex(generator)
    }

    /// The generator's next bytes, each word with its least significant byte first; a negative count gives none.
    public func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { $0.bytes(count) }
    }
}
