import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import MdocTrust
import Testing

/// The signers of a request's parts, and the conditions under which readers are trusted.
@Suite struct ReaderPartyTests {
    private let utopia: Utopia
    private let requests: [ItemsRequest]

    init() async throws {
        utopia = try await Utopia()
        requests = [
            try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]]),
            try ItemsRequest(docType: "org.example", nameSpaces: ["org.example": ["a": true]]),
            try ItemsRequest(docType: "org.example.b", nameSpaces: ["org.example": ["b": true]]),
        ]
    }

    private func signed(_ index: Int, by reader: Certificate, _ key: PrivateKey) async throws -> DocRequest {
        try await DocRequest.signed(
            requests[index],
            sessionTranscript: utopia.transcript,
            with: SoftwareSigner(key),
            x5chain: [reader]
        )
    }

    private func constraints(_ value: CBOR) async throws -> [ReaderTrustConstraint] {
        let provider = try await ListProvider()
        let entry = ListProvider.entry(utopia.readerAuthority.certificate, ["trustConstraints": value])
        let list = try RICAL(decoding: await provider.sign(ListProvider.rical([entry])))
        return try #require(list.certificateInfos.first).trustConstraints
    }

    @Test func partsOfTwoReaders() async throws {
        let otherKey = try PrivateKey.generate(.p256)
        let other = try await utopia.readerAuthority.issueReader(
            subject: DistinguishedName(commonName: "Other reader"),
            publicKey: otherKey.publicKey,
            validity: utopia.reader.notValidBefore...utopia.reader.notValidAfter,
            revocationListURI: "https://utopia.example/readers.crl"
        )
        let whole = ReaderAuthentication(
            sessionTranscript: utopia.transcript,
            allOf: requests,
            deviceRequestInfo: nil
        )
        let wholeSignature = try await UnsignedReaderAuth(whole, x5chain: [other])
            .signed(with: SoftwareSigner(otherKey))
        let documents = [
            try await signed(0, by: utopia.reader, utopia.readerKey), DocRequest(requests[1]),
            try await signed(2, by: utopia.reader, utopia.readerKey),
        ]
        let authority = ReaderAuthority(utopia.readerAuthority.certificate, id: "utopia", name: "Readers of Utopia")
        let verifier = ReaderAuthenticationVerifier(authorities: [authority], clock: { Utopia.now })

        let parts = verifier.verify(try DeviceRequest(docRequests: documents), sessionTranscript: utopia.transcript)
        #expect(parts.parties.map(\.certificate) == [utopia.reader])
        #expect(parts.parties.first?.docRequests == [0, 2])
        #expect(parts.parties.first?.signedAll == false)
        #expect(parts.parties.first?.authority.name == "Readers of Utopia")
        #expect(parts.parties(behindDocRequest: 1).isEmpty)
        #expect(parts.parties(behindDocRequest: 3).isEmpty)
        #expect(parts.unsignedDocRequests == [1])

        let both = verifier.verify(
            try DeviceRequest(docRequests: documents, readerAuthAll: [wholeSignature]),
            sessionTranscript: utopia.transcript
        )
        #expect(both.parties.map(\.certificate) == [utopia.reader, other])
        #expect(both.parties.map(\.signedAll) == [false, true])
        #expect(both.parties(behindDocRequest: 1).map(\.certificate) == [other])
        #expect(both.parties(behindDocRequest: 2).count == 2)
        #expect(both.unsignedDocRequests.isEmpty)
    }

    @Test func signaturesThatAreRefusedMakeNoParty() async throws {
        let strange = try await signed(0, by: utopia.reader, utopia.readerKey)
        let verifier = ReaderAuthenticationVerifier(authorities: [], clock: { Utopia.now })
        let result = verifier.verify(try DeviceRequest(docRequests: [strange]), sessionTranscript: utopia.transcript)
        #expect(result.parties.isEmpty)
        #expect(result.unsignedDocRequests == [0])
        #expect(result.docRequests.first??.failure?.reason == .readerNotTrusted)
    }

    @Test(
        arguments: [
            ([], true), ([[:]], true), ([["extensions": [:]]], true), ([["extensions": ["a": 1]]], false),
            ([["a": 1]], false), ([["a": 1], [:]], true),
        ] as [(CBOR, Bool)]
    )
    func trustsOnlyUnderKnownConstraints(_ value: CBOR, _ isTrusted: Bool) async throws {
        let authority = ReaderAuthority(
            utopia.readerAuthority.certificate,
            name: "Readers",
            trustConstraints: try await constraints(value)
        )
        let request = try DeviceRequest(docRequests: [await signed(0, by: utopia.reader, utopia.readerKey)])
        let result = ReaderAuthenticationVerifier(authorities: [authority], clock: { Utopia.now })
            .verify(request, sessionTranscript: utopia.transcript)
        #expect((result.docRequests.first??.verified != nil) == isTrusted)
        #expect(result.docRequests.first??.failure?.reason == (isTrusted ? nil : .readerNotTrusted))
        #expect(result.parties.isEmpty == !isTrusted)
    }

    @Test func constraintsThatAreUnderstood() async throws {
        let authority = ReaderAuthority(
            utopia.readerAuthority.certificate,
            trustConstraints: try await constraints([["extensions": ["a": 1]]])
        )
        let request = try DeviceRequest(docRequests: [await signed(0, by: utopia.reader, utopia.readerKey)])
        for holds in [true, false] {
            let verifier = ReaderAuthenticationVerifier(
                authorities: [authority],
                constraintHolds: { constraint, chain in
                    constraint.reservedMembers.isEmpty && chain.leaf == utopia.reader && holds
                },
                clock: { Utopia.now }
            )
            let result = verifier.verify(request, sessionTranscript: utopia.transcript).docRequests.first
            #expect((result??.verified != nil) == holds)
        }
    }

    /// The constraints of the lowest authority that is listed count, those of the anchor above it do not.
    @Test func constraintsOfAnAuthorityBelowTheAnchor() async throws {
        let validity = utopia.reader.notValidBefore...utopia.reader.notValidAfter
        let root = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "root"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: validity
        )
        let sub = try await root.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "sub"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: validity
        )
        let reader = try await sub.issueReader(
            subject: DistinguishedName(commonName: "reader"),
            publicKey: utopia.readerKey.publicKey,
            validity: validity,
            revocationListURI: "https://utopia.example/readers.crl"
        )
        let unknown = try await constraints([["a": 1]])
        // A reader may leave out an authority that wallets know (F.2.3).
        for chain in [[reader, sub.certificate], [reader]] {
            let request = try DeviceRequest(docRequests: [
                await DocRequest.signed(
                    requests[0],
                    sessionTranscript: utopia.transcript,
                    with: SoftwareSigner(utopia.readerKey),
                    x5chain: chain
                )
            ])
            for (rootConstraints, subConstraints, isTrusted) in [
                (unknown, [], true), ([], unknown, false), ([], [], true),
            ] {
                let authorities = [
                    ReaderAuthority(root.certificate, trustConstraints: rootConstraints),
                    ReaderAuthority(
                        sub.certificate,
                        name: "sub",
                        isTrustAnchor: false,
                        trustConstraints: subConstraints
                    ),
                ]
                let result = ReaderAuthenticationVerifier(authorities: authorities, clock: { Utopia.now })
                    .verify(request, sessionTranscript: utopia.transcript)
                #expect((result.docRequests.first??.verified != nil) == isTrusted)
                #expect(result.parties.first?.authority.name == (isTrusted ? "sub" : nil))
            }
            let alone = ReaderAuthenticationVerifier(
                authorities: [ReaderAuthority(sub.certificate, isTrustAnchor: false)],
                clock: { Utopia.now }
            )
            let result = alone.verify(request, sessionTranscript: utopia.transcript).docRequests.first
            #expect(result??.failure?.reason == .readerNotTrusted)
        }
    }

    /// Authorities may share a name, and one of them may have several certificates for its key.
    @Test(arguments: [0, 1, 2])
    func authoritiesOfOneName(_ shift: Int) async throws {
        let validity = utopia.reader.notValidBefore...utopia.reader.notValidAfter
        func root(_ name: String) async throws -> CertificateAuthority {
            try await CertificateAuthority.root(
                subject: DistinguishedName(countryName: "UT", commonName: name),
                signer: SoftwareSigner(PrivateKey.generate(.p256)),
                validity: validity
            )
        }
        func sub(
            of root: CertificateAuthority,
            _ key: PrivateKey,
            until end: Date = validity.upperBound
        ) async throws -> CertificateAuthority {
            try await root.subordinate(
                subject: DistinguishedName(countryName: "UT", commonName: "sub"),
                signer: SoftwareSigner(key),
                validity: validity.lowerBound...end
            )
        }
        let (anchor, stranger) = (try await root("root"), try await root("stranger"))
        let key = try PrivateKey.generate(.p256)
        let issuer = try await sub(of: anchor, key)
        let others = [
            // The same name with another key, below another root, and one that is past its time.
            try await sub(of: anchor, PrivateKey.generate(.p256)), try await sub(of: stranger, key),
            try await sub(of: anchor, key, until: Utopia.now.addingTimeInterval(-1)),
        ]
        let reader = try await issuer.issueReader(
            subject: DistinguishedName(commonName: "reader"),
            publicKey: utopia.readerKey.publicKey,
            validity: validity,
            revocationListURI: "https://utopia.example/readers.crl"
        )
        let request = try DeviceRequest(docRequests: [await signed(0, by: reader, utopia.readerKey)])
        let below = others[shift...] + [issuer] + others[..<shift]
        let verifier = ReaderAuthenticationVerifier(
            authorities: [ReaderAuthority(anchor.certificate)]
                + below.map { ReaderAuthority($0.certificate, isTrustAnchor: false) },
            clock: { Utopia.now }
        )
        let result = verifier.verify(request, sessionTranscript: utopia.transcript).docRequests.first
        #expect(result??.verified?.certificates == [reader, issuer.certificate])
        let without = ReaderAuthenticationVerifier(
            authorities: [ReaderAuthority(anchor.certificate)]
                + others.map { ReaderAuthority($0.certificate, isTrustAnchor: false) },
            clock: { Utopia.now }
        )
        let refused = without.verify(request, sessionTranscript: utopia.transcript).docRequests.first
        #expect(refused??.verified == nil)
    }
}
