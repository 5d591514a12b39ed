import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Testing

@Suite struct ReaderAuthenticationTests {
    private func requests() throws -> [ItemsRequest] {
        [
            try ItemsRequest(docType: .mDL, nameSpaces: [.mDL: ["family_name": false]]),
            try ItemsRequest(docType: "org.example", nameSpaces: ["org.example": ["a": true]]),
        ]
    }

    private func verifier(_ utopia: Utopia) -> ReaderAuthenticationVerifier {
        ReaderAuthenticationVerifier(trustAnchors: [utopia.readerAuthority.certificate], clock: { Utopia.now })
    }

    /// As with issuers: on demand only.
    @Test(arguments: [false, true])
    func namesTheCertificateOnDemand(includesX5T: Bool) async throws {
        let utopia = try await Utopia()
        let request = try requests()[0]
        let authentication = ReaderAuthentication(sessionTranscript: utopia.transcript, itemsRequest: request)
        let unsigned = try UnsignedReaderAuth(authentication, x5chain: [utopia.reader], includesX5T: includesX5T)
        let readerAuth = try await unsigned.signed(with: SoftwareSigner(utopia.readerKey))
        let hash = try readerAuth.headers.protected.x5t()
        #expect(try hash?.matches(utopia.reader.derBytes) == (includesX5T ? true : nil))
        let signed = try DeviceRequest(docRequests: [DocRequest(request, readerAuth: readerAuth)])
        let read = try DeviceRequest(decoding: [UInt8](signed.encodedBytes))
        let result = verifier(utopia).verify(read, sessionTranscript: utopia.transcript).docRequests[0]
        #expect(result?.verified?.leaf == utopia.reader)
    }

    @Test func everyDocumentRequestIsVerified() async throws {
        let utopia = try await Utopia()
        let requests = try requests()
        let signed = try await DocRequest.signed(
            requests[0],
            sessionTranscript: utopia.transcript,
            with: SoftwareSigner(utopia.readerKey),
            x5chain: [utopia.reader]
        )
        let moved = DocRequest(requests[1], readerAuth: signed.readerAuth)
        let request = try DeviceRequest(docRequests: [signed, DocRequest(requests[1]), moved])
        let read = try DeviceRequest(decoding: [UInt8](request.encodedBytes))
        let results = verifier(utopia).verify(read, sessionTranscript: utopia.transcript).docRequests
        #expect(results.count == 3)
        #expect(results[0]?.verified?.leaf == utopia.reader)
        #expect(results[1] == nil, "a request without a signature has a result")
        #expect(results[2]?.failure?.reason == .readerAuthenticationInvalid)
    }

    @Test(arguments: [true, false])
    func signaturesOverTheWhole(_ withInfo: Bool) async throws {
        let utopia = try await Utopia()
        let requests = try requests()
        let info = withInfo ? try DeviceRequestInfo(useCases: [UseCase(mandatory: true, documentSets: [[0]])]) : nil
        let authentication = ReaderAuthentication(
            sessionTranscript: utopia.transcript,
            allOf: requests,
            deviceRequestInfo: info
        )
        let unsigned = try UnsignedReaderAuth(authentication, x5chain: [utopia.reader])
        #expect(unsigned.algorithm == .ecdsaSHA256)
        let signature = try await unsigned.signed(with: SoftwareSigner(utopia.readerKey))
        let request = try DeviceRequest(
            docRequests: requests.map { DocRequest($0) },
            deviceRequestInfo: info,
            readerAuthAll: [signature]
        )
        let read = try DeviceRequest(decoding: [UInt8](request.encodedBytes))
        #expect(read.version == .v1_1)
        #expect(
            verifier(utopia).verify(read, sessionTranscript: utopia.transcript).all.first?.verified?.leaf
                == utopia.reader
        )
        let swapped = try DeviceRequest(
            docRequests: requests.reversed().map { DocRequest($0) },
            deviceRequestInfo: info,
            readerAuthAll: [signature]
        )
        let result = verifier(utopia).verify(swapped, sessionTranscript: utopia.transcript).all.first
        #expect(result?.failure?.reason == .readerAuthenticationInvalid)
    }

    @Test func aReadersKeyThatIsNotTheCertificates() async throws {
        let utopia = try await Utopia()
        let request = try #require(requests().first)
        let error = await #expect(throws: MdocError.self) {
            try await DocRequest.signed(
                request,
                sessionTranscript: utopia.transcript,
                with: SoftwareSigner(utopia.deviceKey),
                x5chain: [utopia.reader]
            )
        }
        #expect(error?.code == .signingFailed)
        let missing = #expect(throws: MdocError.self) {
            try UnsignedReaderAuth(
                ReaderAuthentication(sessionTranscript: utopia.transcript, itemsRequest: request),
                x5chain: []
            )
        }
        #expect(missing?.code == .invalidValue)
    }

    /// A signature that names its certificate by a hash (RFC 9360): the reader's, or another.
    @Test(arguments: [true, false])
    func theHashOfTheCertificate(_ isTheReaders: Bool) async throws {
        let utopia = try await Utopia()
        let request = try #require(requests().first)
        let named = isTheReaders ? utopia.reader : utopia.readerAuthority.certificate
        let signature = try await COSESign1.sign(
            ReaderAuthentication(sessionTranscript: utopia.transcript, itemsRequest: request).taggedBytes,
            detached: true,
            headers: COSEHeaders(
                protected: [
                    .alg: .integer(COSEAlgorithm.es256.rawValue),
                    .x5t: COSECertificateHash(sha256Of: named.derBytes).cbor,
                ],
                unprotected: [.x5chain: .bytes(utopia.reader.derBytes)]
            ),
            with: SoftwareSigner(utopia.readerKey)
        )
        let signed = DocRequest(request, readerAuth: signature)
        let read = try DeviceRequest(decoding: [UInt8](DeviceRequest(docRequests: [signed]).encodedBytes))
        let result = try #require(
            verifier(utopia).verify(read, sessionTranscript: utopia.transcript).docRequests[0]
        )
        #expect(result.verified?.leaf == (isTheReaders ? utopia.reader : nil))
        #expect(result.failure?.reason == (isTheReaders ? nil : .invalidReaderCertificate))
    }

    /// Certificates of readers that depart from their profile: refused, or tolerated by name and reported.
    @Test(arguments: [CertificateTolerance.countrySpelling, .distributionPoint])
    func certificatesThatDepartFromTheProfile(_ tolerance: CertificateTolerance) async throws {
        let utopia = try await Utopia()
        let isMissing = tolerance == .distributionPoint
        let points = CertificateExtension.crlDistributionPoints(["https://utopia.example/readers.crl"])
        let builder = CertificateBuilder(
            subject: try DistinguishedName(countryName: isMissing ? "UT" : "ut", commonName: "Utopia reader"),
            publicKey: utopia.readerKey.publicKey,
            validity: Utopia.now - Utopia.day...Utopia.now + 100 * Utopia.day,
            extensions: [
                .keyUsage(.digitalSignature), .extendedKeyUsage([.mdlReaderAuthentication], isCritical: true),
                .issuerAlternativeName([.uri("https://utopia.example/readers")]),
            ] + (isMissing ? [] : [points])
        )
        let signed = try await DocRequest.signed(
            #require(requests().first),
            sessionTranscript: utopia.transcript,
            with: SoftwareSigner(utopia.readerKey),
            x5chain: [builder.issued(by: utopia.readerAuthority)]
        )
        let request = try DeviceRequest(docRequests: [signed])
        func result(_ tolerances: Set<CertificateTolerance>) throws -> Verification<ValidatedCertificateChain> {
            let verifier = ReaderAuthenticationVerifier(
                trustAnchors: [utopia.readerAuthority.certificate],
                tolerances: tolerances,
                clock: { Utopia.now }
            )
            return try #require(verifier.verify(request, sessionTranscript: utopia.transcript).docRequests[0])
        }
        #expect(try result([]).failure?.reason == .invalidReaderCertificate)
        // Others, one of which is about a missing extension, too.
        let others = Set<CertificateTolerance>.deployed.subtracting([tolerance])
        #expect(try result(others).failure?.reason == .invalidReaderCertificate)
        let tolerated = try result([tolerance])
        #expect(tolerated.verified != nil && tolerated.deviations.count == 1)
    }

    @Test(arguments: [nil, .bytes([0x30])] as [CBOR?])
    func signaturesWithoutAUsableCertificate(_ certificate: CBOR?) async throws {
        let utopia = try await Utopia()
        let signed = try await DocRequest.signed(
            #require(requests().first),
            sessionTranscript: utopia.transcript,
            with: SoftwareSigner(utopia.readerKey),
            x5chain: [utopia.reader]
        )
        var value = try CBOR(decoding: [UInt8](DeviceRequest(docRequests: [signed]).encodedBytes))
        value.change("docRequests") {
            $0.change(0) { $0.change("readerAuth") { $0.change(1) { $0.set(33, certificate) } } }
        }
        let read = try DeviceRequest(decoding: value.encoded())
        let result = verifier(utopia).verify(read, sessionTranscript: utopia.transcript).docRequests.first
        #expect(result??.failure?.reason == .invalidReaderCertificate)
    }

    @Test func aDocumentSignerIsNoReader() async throws {
        let utopia = try await Utopia()
        let signed = try await DocRequest.signed(
            #require(requests().first),
            sessionTranscript: utopia.transcript,
            with: SoftwareSigner(utopia.documentSignerKey),
            x5chain: [utopia.documentSigner]
        )
        let verifier = ReaderAuthenticationVerifier(trustAnchors: [utopia.iaca.certificate], clock: { Utopia.now })
        let result = try verifier.verify(
            DeviceRequest(docRequests: [signed]),
            sessionTranscript: utopia.transcript
        ).docRequests.first
        #expect(result??.failure?.reason == .invalidReaderCertificate)
        #expect(result??.failure?.check == .readerTrust)
    }
}
