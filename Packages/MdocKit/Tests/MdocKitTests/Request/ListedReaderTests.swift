import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import MdocTrust
import Testing

/// Readers below an authority that a RICAL lists, itself below another one.
@Suite struct ListedReaderTests {
    private let utopia: Utopia
    private let provider: ListProvider
    private let items: ItemsRequest

    init() async throws {
        utopia = try await Utopia()
        provider = try await ListProvider()
        items = try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]])
    }

    private static let validity = Utopia.now - Utopia.day...Utopia.now + 100 * Utopia.day

    /// A root, an authority below it, and a reader below that one.
    private struct Chain {
        let root: CertificateAuthority
        let sub: CertificateAuthority
        let reader: Certificate

        init(_ utopia: Utopia, rootEnd: Date = validity.upperBound) async throws {
            root = try await CertificateAuthority.root(
                subject: DistinguishedName(countryName: "UT", commonName: "root"),
                signer: SoftwareSigner(PrivateKey.generate(.p256)),
                validity: validity.lowerBound...rootEnd
            )
            sub = try await root.subordinate(
                subject: DistinguishedName(countryName: "UT", commonName: "sub"),
                signer: SoftwareSigner(PrivateKey.generate(.p256)),
                validity: validity
            )
            reader = try await sub.issueReader(
                subject: DistinguishedName(commonName: "reader"),
                publicKey: utopia.readerKey.publicKey,
                validity: validity,
                revocationListURI: "https://utopia.example/readers.crl"
            )
        }

        /// What the reader may send.
        var sent: [[Certificate]] {
            [[reader], [reader, sub.certificate], [reader, sub.certificate, root.certificate]]
        }
    }

    private func request(_ x5chain: [Certificate]) async throws -> DeviceRequest {
        try DeviceRequest(docRequests: [
            await DocRequest.signed(
                items,
                sessionTranscript: utopia.transcript,
                with: SoftwareSigner(utopia.readerKey),
                x5chain: x5chain
            )
        ])
    }

    private func verified(_ entries: [CBOR]) async throws -> VerifiedRICAL {
        let list = try RICAL(decoding: await provider.sign(ListProvider.rical(entries)))
        return try list.verify(anchors: [provider.root.certificate], at: Utopia.now).get()
    }

    private func verify(
        _ x5chain: [Certificate],
        _ authorities: [ReaderAuthority]
    ) async throws -> Verification<ValidatedCertificateChain> {
        let result = ReaderAuthenticationVerifier(authorities: authorities, clock: { Utopia.now })
            .verify(try await request(x5chain), sessionTranscript: utopia.transcript)
        return try #require(result.docRequests.first ?? nil)
    }

    private static let below: CBORMap = ["isTrustAnchor": false]

    // MARK: Unreadable entries

    /// The constraints of such an entry are not understood, so they do not hold (F.3.2.6).
    @Test(
        arguments: [
            ["trustConstraints": [1]], ["trustConstraints": .array(Array(repeating: [:], count: 65))],
            ["trustContraints": 1], ["name": 1], ["isTrustAnchor": "no"],
        ] as [CBORMap]
    )
    func anUnreadableEntryRefusesTheReadersBelow(_ fault: CBORMap) async throws {
        let chain = try await Chain(utopia)
        let root = ListProvider.entry(chain.root.certificate)
        for sent in chain.sent {
            let whole = try await verified([root, ListProvider.entry(chain.sub.certificate, Self.below)])
            #expect(try await verify(sent, whole.readerAuthorities).verified?.anchor == chain.root.certificate)
            let rical = try await verified([root, ListProvider.entry(chain.sub.certificate, fault)])
            #expect(rical.list.unreadableEntries.map(\.certificate) == [chain.sub.certificate])
            #expect(rical.readerAuthorities.map(\.isRefused) == [false, true])
            #expect(rical.readerAuthorities.map(\.isTrustAnchor) == [true, false])
            let refusal = try await verify(sent, rical.readerAuthorities).refusal
            #expect(refusal?.check == .readerTrust)
            #expect(refusal?.reason == .readerNotTrusted)
            #expect(refusal?.message.contains("cannot be read") == true)
            #expect(refusal?.message.contains("sub") == true)
        }
    }

    /// A second entry for the certificate may have had other constraints.
    @Test func aReadableEntryBesideAnUnreadableOne() async throws {
        let chain = try await Chain(utopia)
        let root = ListProvider.entry(chain.root.certificate)
        let fault: CBORMap = ["trustConstraints": 1]
        for (isSub, entry) in [(true, chain.sub), (false, chain.root)] {
            let entries = [
                root, ListProvider.entry(chain.sub.certificate, Self.below),
                ListProvider.entry(entry.certificate, fault),
            ]
            let rical = try await verified(entries)
            for sent in chain.sent {
                let refusal = try await verify(sent, rical.readerAuthorities).refusal
                #expect(refusal?.reason == .readerNotTrusted)
                #expect(refusal?.message.contains(isSub ? "sub" : "root") == true)
            }
        }
    }

    /// An authority between others sets no conditions for the readers below the lowest (F.3.2.6).
    @Test func anUnreadableEntryInTheMiddle() async throws {
        let chain = try await Chain(utopia)
        let below = try await chain.sub.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "below"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
        let reader = try await below.issueReader(
            subject: DistinguishedName(commonName: "reader"),
            publicKey: utopia.readerKey.publicKey,
            validity: Self.validity,
            revocationListURI: "https://utopia.example/readers.crl"
        )
        let rical = try await verified([
            ListProvider.entry(chain.root.certificate),
            ListProvider.entry(chain.sub.certificate, ["trustConstraints": 1]),
            ListProvider.entry(below.certificate, Self.below),
        ])
        #expect(try await verify([reader], rical.readerAuthorities).verified?.anchor == chain.root.certificate)
    }

    @Test func entriesWithoutAReadableCertificate() async throws {
        let chain = try await Chain(utopia)
        let rical = try await verified([
            ListProvider.entry(chain.root.certificate), 1, [:], ["certificate": 1], ["certificate": .bytes([0x30])],
        ])
        #expect(rical.list.unreadableEntries.map(\.certificate) == [nil, nil, nil, nil])
        #expect(rical.readerAuthorities.count == 1)
    }

    @Test func aRefusedAuthorityStaysSoInAStore() async throws {
        let chain = try await Chain(utopia)
        let rical = try await verified([
            ListProvider.entry(chain.root.certificate),
            ListProvider.entry(chain.sub.certificate, ["trustConstraints": 1]),
        ])
        let store = InMemoryTrustedIssuerStore()
        try TrustedIssuers(store: store).replace(with: rical)
        let authorities = try TrustedIssuers(store: store).readerAuthorities(at: Utopia.now)
        #expect(authorities.map(\.isRefused) == [false, true])
        #expect(authorities.map(\.isTrustAnchor) == [true, false])
        #expect(try await verify(chain.sent[1], authorities).refusal?.reason == .readerNotTrusted)
    }

    // MARK: Anchors above anchors

    /// The highest anchor ends the chain (F.3.2.6), and has to be valid.
    @Test func anAnchorBelowAnExpiredOne() async throws {
        for (end, isTrusted) in [(Self.validity.upperBound, true), (Utopia.now - 1, false)] {
            let chain = try await Chain(utopia, rootEnd: end)
            let entries = [chain.sub.certificate, chain.root.certificate].map { ListProvider.entry($0) }
            let authorities = try await verified(entries).readerAuthorities
            #expect(authorities.map(\.isTrustAnchor) == [true, true])
            for sent in chain.sent {
                let verification = try await verify(sent, authorities)
                #expect(verification.verified?.anchor == (isTrusted ? chain.root.certificate : nil))
                #expect(verification.refusal?.reason == (isTrusted ? nil : .invalidReaderCertificate))
                // Anchors of a configuration are an end each.
                let any = ReaderAuthenticationVerifier(
                    trustAnchors: authorities.map(\.certificate),
                    clock: { Utopia.now }
                )
                .verify(try await request(sent), sessionTranscript: utopia.transcript)
                #expect(any.docRequests.first??.verified?.anchor == chain.sub.certificate)
            }
            let alone = try await verify(chain.sent[0], [ReaderAuthority(chain.sub.certificate)])
            #expect(alone.verified?.anchor == chain.sub.certificate)
        }
    }

    /// An authority that is no anchor links two that are; one that only has the name of an issuer does not.
    @Test(arguments: [true, false])
    func anAnchorBelowAnotherThroughAnAuthority(_ isLink: Bool) async throws {
        let chain = try await Chain(utopia)
        let below = try await chain.sub.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "below"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
        let reader = try await below.issueReader(
            subject: DistinguishedName(commonName: "reader"),
            publicKey: utopia.readerKey.publicKey,
            validity: Self.validity,
            revocationListURI: "https://utopia.example/readers.crl"
        )
        let other = try await Chain(utopia)
        let authorities = [
            ReaderAuthority(below.certificate), ReaderAuthority(chain.root.certificate),
            ReaderAuthority((isLink ? chain : other).sub.certificate, isTrustAnchor: false),
        ]
        let anchor = try await verify([reader], authorities).verified?.anchor
        #expect(anchor == (isLink ? chain.root.certificate : below.certificate))
    }

    /// Two anchors that issued certificates for each other, neither of which is above the other.
    @Test func anchorsAboveEachOther() async throws {
        let keys = try (0..<2).map { _ in try PrivateKey.generate(.p256) }
        let names = try ["a", "b"].map { try DistinguishedName(countryName: "UT", commonName: $0) }
        func crossed(_ index: Int) async throws -> CertificateAuthority {
            let issuer = try await CertificateAuthority.root(
                subject: names[1 - index],
                signer: SoftwareSigner(keys[1 - index]),
                validity: Self.validity
            )
            return try await issuer.subordinate(
                subject: names[index],
                signer: SoftwareSigner(keys[index]),
                validity: Self.validity
            )
        }
        let anchors = [try await crossed(0), try await crossed(1)]
        let reader = try await anchors[0].issueReader(
            subject: DistinguishedName(commonName: "reader"),
            publicKey: utopia.readerKey.publicKey,
            validity: Self.validity,
            revocationListURI: "https://utopia.example/readers.crl"
        )
        let verification = try await verify([reader], anchors.map { ReaderAuthority($0.certificate) })
        #expect(verification.verified?.anchor == anchors[0].certificate)
    }
}
