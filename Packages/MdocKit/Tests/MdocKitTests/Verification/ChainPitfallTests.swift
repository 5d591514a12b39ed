import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

/// Known mistakes of implementations with issuers' certificates (ISO/IEC 18013-5, 12.8.3 and Annex B).
@Suite struct ChainPitfallTests {
    private func verification(
        _ utopia: Utopia,
        _ chain: [Certificate],
        anchors: [Certificate]? = nil,
        options: MdocReadingOptions = .strict
    ) async throws -> Verification<VerifiedIssuerSigned> {
        let licence = try await utopia.licence(x5chain: chain.map(\.derBytes), options: options) { _ in }
        let verifier = MdocVerifier(
            trustAnchors: (anchors ?? [utopia.iaca.certificate]).map { TrustAnchor($0) },
            clock: { Utopia.now }
        )
        return verifier.verifyForStorage(licence)
    }

    private func isVerified(_ verification: Verification<VerifiedIssuerSigned>) -> Bool {
        verification.verified != nil
    }

    /// The needed purpose among others: comparing the whole list refuses certificates of the second edition.
    @Test(
        arguments: [
            [.mdlDocumentSigner, .mdocDocumentSigner], [.clientAuthentication, .mdlDocumentSigner],
        ] as [[OID]]
    )
    func thePurposeIsContained(_ purposes: [OID]) async throws {
        let utopia = try await Utopia()
        let key = utopia.documentSignerKey.publicKey
        let certificate = try await utopia.certificate(for: key, purposes: purposes)
        #expect(isVerified(try await verification(utopia, [certificate])))
    }

    /// The purpose of ISO/IEC TS 23220-4 alone is enough for other documents; licences need their own (B.1.1).
    @Test(arguments: [("org.iso.23220.photoID.1", true), (DocType.mDL, false)])
    func thePurposeOfOtherDocuments(_ docType: DocType, _ isEnough: Bool) async throws {
        let utopia = try await Utopia()
        let certificate = try await utopia.certificate(
            for: utopia.documentSignerKey.publicKey,
            purposes: [.mdocDocumentSigner]
        )
        let issued = try await utopia.licence(x5chain: [certificate.derBytes]) {
            $0.set("docType", .text(docType.text))
        }
        let failure = utopia.verifier().verifyForStorage(issued).failure
        #expect(failure?.check == (isEnough ? nil : .signerCertificate))
        #expect(failure?.reason == (isEnough ? nil : .invalidSignerCertificate))
    }

    @Test func theLeafComesFirst() async throws {
        let utopia = try await Utopia()
        let root = utopia.iaca.certificate
        // The root has no place in the chain; it does no harm after the leaf.
        let strict = await #expect(throws: MdocError.self) {
            try await verification(utopia, [utopia.documentSigner, root])
        }
        #expect(strict?.code == .deviation)
        #expect(strict?.message == "not tolerated: rootInX5chain")
        let tolerant = try await verification(utopia, [utopia.documentSigner, root], options: .deployed)
        #expect(isVerified(tolerant))
        #expect(tolerant.deviations.map(\.description) == ["rootInX5chain in issuerAuth"])
        let swapped = try await verification(utopia, [root, utopia.documentSigner])
        #expect(swapped.failure != nil)
    }

    /// A chain that trusts its own root proves nothing.
    @Test func aRootInTheChainIsNotTrustedForThat() async throws {
        let utopia = try await Utopia()
        let chain = [utopia.documentSigner, utopia.iaca.certificate]
        for anchors in [[], [utopia.readerAuthority.certificate]] {
            let verification = try await verification(utopia, chain, anchors: anchors, options: .deployed)
            #expect(verification.failure?.reason == .issuerNotTrusted)
            #expect(verification.deviations.map(\.description) == ["rootInX5chain in issuerAuth"])
        }
    }

    /// A document signer below an intermediate authority, as credentials other than licences may have.
    @Test func anIntermediateAuthority() async throws {
        let utopia = try await Utopia()
        let validity = utopia.documentSigner.notValidBefore...utopia.documentSigner.notValidAfter
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: validity,
            pathLength: 1
        )
        let intermediate = try await root.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia intermediate"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: validity,
            pathLength: 0,
            extensions: [.issuerAlternativeName([.uri("https://utopia.example")])]
        )
        let documentSigner = try await intermediate.issueDocumentSigner(
            commonName: "Utopia document signer",
            publicKey: utopia.documentSignerKey.publicKey,
            validity: validity,
            revocationListURI: "https://utopia.example/crl"
        )
        let chain = [documentSigner, intermediate.certificate]
        let whole = try await verification(utopia, chain, anchors: [root.certificate])
        #expect(isVerified(whole), "\(whole.checks)")
        let short = try await verification(utopia, [documentSigner], anchors: [root.certificate])
        #expect(short.failure?.reason == .issuerNotTrusted)
        // An authority of licences allows none between.
        let strict = try await utopia.iaca.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia intermediate"),
            signer: intermediate.signer,
            validity: validity
        )
        let long = try await verification(utopia, [documentSigner, strict.certificate])
        #expect(long.failure != nil)
    }

    /// Trust lists have authorities without a key identifier.
    @Test func anAnchorWithoutAKeyIdentifier() async throws {
        let utopia = try await Utopia()
        let anchor = try await utopia.iaca.certificate.replacing(
            [6, 3, 0x55, 0x1d, 14],
            with: [6, 3, 0x55, 0x1d, 0x7f],
            signedBy: utopia.iaca
        )
        try #require(anchor.subjectKeyIdentifier == nil)
        let verification = try await verification(utopia, [utopia.documentSigner], anchors: [anchor])
        #expect(isVerified(verification), "\(verification.checks)")
    }

    /// Only the first edition demands one of issuing authorities.
    @Test func anAnchorWithoutADistributionPoint() async throws {
        let utopia = try await Utopia()
        try #require(try utopia.iaca.certificate.crlDistributionPoints == nil)
        #expect(isVerified(try await verification(utopia, [utopia.documentSigner])))
    }

    /// An authority with a state issues only certificates that have it.
    @Test(arguments: [("UT", "North", true), ("UT", nil, false), ("XX", "North", false), ("UT", "South", false)])
    func countryAndState(_ country: String, _ state: String?, isSame: Bool) async throws {
        let utopia = try await Utopia.make(inState: "North")
        let certificate = try await utopia.certificate(
            for: utopia.documentSignerKey.publicKey,
            subject: DistinguishedName(countryName: country, stateOrProvinceName: state, commonName: "signer")
        )
        let verification = try await verification(utopia, [certificate])
        #expect(isVerified(verification) == isSame, "\(verification.checks)")
        if !isSame {
            #expect(verification.failure?.check == .issuerLocality)
            #expect(verification.failure?.reason == .invalidSignerCertificate)
        }
    }

    /// Case matters: libraries and trust lists spell the type of the photo ID in two ways.
    @Test func anAnchorForATypeInAnotherSpelling() async throws {
        let utopia = try await Utopia()
        let type: DocType = "org.iso.23220.photoID.1"
        let credential = try await utopia.issue(utopia.builder(docType: type))
        for (trusted, isRight) in [(type, true), ("org.iso.23220.photoid.1", false)] as [(DocType, Bool)] {
            let verification = utopia.verifier(docTypes: [trusted]).verifyForStorage(credential)
            #expect(isVerified(verification) == isRight)
            if !isRight {
                #expect(verification.failure?.check == .trustedForDocType)
                #expect(verification.failure?.reason == .issuerNotTrusted)
            }
        }
    }
}
