import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import MdocKit
import MdocResults
import Testing

/// Every curve, algorithm and hash function of the standard, from issuing to verification; and those that it lacks.
@Suite struct CurveTests {
    /// A curve with one of the labels of its algorithm.
    struct Pair: Hashable, Sendable, CustomTestStringConvertible {
        let curve: EllipticCurve
        let algorithm: COSEAlgorithm

        init(_ curve: EllipticCurve, _ algorithm: COSEAlgorithm) {
            self.curve = curve
            self.algorithm = algorithm
        }

        var testDescription: String { "\(algorithm) on \(curve)" }
    }

    static let allPairs: [Pair] = [
        Pair(.p256, .es256), Pair(.p256, .esp256), Pair(.p384, .es384), Pair(.p384, .esp384), Pair(.p521, .es512),
        Pair(.p521, .esp512), Pair(.brainpoolP256r1, .es256), Pair(.brainpoolP256r1, .esb256),
        Pair(.brainpoolP320r1, .es384), Pair(.brainpoolP320r1, .esb320), Pair(.brainpoolP384r1, .es384),
        Pair(.brainpoolP384r1, .esb384), Pair(.brainpoolP512r1, .es512), Pair(.brainpoolP512r1, .esb512),
        Pair(.ed25519, .edDSA), Pair(.ed25519, .ed25519), Pair(.ed448, .edDSA), Pair(.ed448, .ed448),
    ]

    static let pairs = allPairs.filter(\.curve.isSupported)

    static let algorithms: [COSEAlgorithm] = [
        .es256, .es384, .es512, .edDSA, .esp256, .esp384, .esp512, .esb256, .esb320, .esb384, .esb512, .ed25519, .ed448,
        .es256K, .ps256, .hmac256_256, COSEAlgorithm(rawValue: -999),
    ]

    static let digests: [DigestAlgorithm] = [.sha256, .sha384, .sha512]

    /// The numbers that are on the wire (RFC 9053, RFC 9864).
    @Test func labels() {
        let expected: [COSEAlgorithm: Int] = [
            .es256: -7, .es384: -35, .es512: -36, .edDSA: -8, .esp256: -9, .esp384: -51, .esp512: -52, .esb256: -265,
            .esb320: -266, .esb384: -267, .esb512: -268, .ed25519: -19, .ed448: -53, .hmac256_256: 5,
        ]
        for (algorithm, label) in expected { #expect(Int(algorithm.rawValue) == label) }
    }

    /// A COSE_Sign1 under a label of one's own choice.
    private func signed(
        _ payload: [UInt8],
        detached: Bool = false,
        by key: PrivateKey,
        as algorithm: COSEAlgorithm,
        x5chain: [Certificate] = []
    ) throws -> CBOR {
        let chain = x5chain.map(\.derBytes)
        let unsigned = try COSESign1.Unsigned(
            payload: payload,
            detached: detached,
            headers: COSEHeaders(
                protected: [.alg: .integer(algorithm.rawValue)],
                unprotected: chain.isEmpty ? [:] : [.x5chain: COSEHeaderMap.certificates(chain)]
            )
        )
        let message = try unsigned.completed(with: SoftwareSigner(key).signature(for: unsigned.bytesToSign))
        return try CBOR(decoding: message.encoded(tagged: false))
    }

    /// The licence bound to a key, issued and presented under a label of one's own choice.
    private func response(
        _ utopia: Utopia,
        deviceKey: PrivateKey,
        _ algorithm: COSEAlgorithm,
        _ digest: DigestAlgorithm
    ) async throws -> DeviceResponse {
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        builder.digestAlgorithm = digest
        try builder.add("Doe", as: "family_name", in: .mDL)
        let licence = try await utopia.issue(builder)
        let prepared = try PreparedMdocDocument(licence, sessionTranscript: utopia.transcript)
        let usual = try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(deviceKey))])
        let issuerAuth = try signed(
            Array(licence.mobileSecurityObject.taggedBytes),
            by: utopia.documentSignerKey,
            as: algorithm,
            x5chain: [utopia.documentSigner]
        )
        let signature = try signed(
            prepared.deviceAuthentication.taggedBytes,
            detached: true,
            by: deviceKey,
            as: algorithm
        )
        var message = try CBOR(decoding: [UInt8](usual.encodedBytes))
        message.change("documents") {
            $0.change(0) { document in
                document.change("issuerSigned") { $0.set("issuerAuth", issuerAuth) }
                document.change("deviceSigned") { $0.set("deviceAuth", ["deviceSignature": signature]) }
            }
        }
        return try DeviceResponse(decoding: message.encoded(), options: .deployed)
    }

    /// The numbers that name the curve too, which are not in the standard.
    private static let fullySpecified: Set<COSEAlgorithm> = [
        .esp256, .esp384, .esp512, .esb256, .esb320, .esb384, .esb512, .ed25519, .ed448,
    ]

    @Test(arguments: pairs, digests)
    func issuerAndDeviceSign(_ pair: Pair, _ digest: DigestAlgorithm) async throws {
        let utopia = try await Utopia.make(signerCurve: pair.curve)
        let deviceKey = try PrivateKey.generate(pair.curve)
        let response = try await response(utopia, deviceKey: deviceKey, pair.algorithm, digest)
        let document = try #require(try await utopia.verify(response).documents.first)
        #expect(document.verified?[.mDL, "family_name"]?.value == "Doe", "\(document.checks)")
        #expect(document.verified?.deviceKey == deviceKey.publicKey)
        let isFullySpecified = Self.fullySpecified.contains(pair.algorithm)
        let deviations = [
            "fullySpecifiedAlgorithm in documents[0].issuerSigned.issuerAuth",
            "fullySpecifiedAlgorithm in documents[0].deviceSigned.deviceAuth.deviceSignature",
        ]
        #expect(document.deviations.map(\.description) == (isFullySpecified ? deviations : []))
        let strict = try await utopia.verify(DeviceResponse(decoding: [UInt8](response.encodedBytes)))
        #expect(strict.documents.first?.refusal?.reason == (isFullySpecified ? .malformed : nil))
    }

    @Test(arguments: EllipticCurve.standardForAuthorities)
    func authoritiesSign(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia(curve: curve)
        let document = try #require(try await utopia.verify(utopia.present(utopia.licence())).documents.first)
        #expect(document.verified != nil, "\(document.checks)")
    }

    @Test(arguments: EllipticCurve.standardForKeyAgreement)
    func deviceAndReaderAgree(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia(deviceCurve: curve)
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: utopia.transcript)
        let document = try await prepared.authenticated(
            with: utopia.deviceKey,
            readerKey: utopia.ephemeralReaderKey.publicKey
        )
        let response = try DeviceResponse(documents: [document])
        let result = try #require(try await utopia.verify(response).documents.first)
        #expect(result.verified != nil, "\(result.checks)")
        let other = try await utopia.verifier().verify(
            response,
            sessionTranscript: utopia.transcript,
            readerKeys: [PrivateKey.generate(curve)]
        )
        #expect(other.documents.first?.failure?.check == .holderBinding)
    }

    /// Every label on every curve: those of the curve pass, all others are not of the standard.
    @Test(arguments: EllipticCurve.standardForSignatures)
    func labelsOfOtherCurves(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia.make(signerCurve: curve)
        let licence = try CBOR(decoding: [UInt8](await utopia.licence().encodedBytes))
        for algorithm in Self.algorithms {
            var credential = licence
            let header: CBOR = [1: .integer(algorithm.rawValue)]
            credential.change("issuerAuth") { $0.change(0) { $0 = .bytes(header.encoded()) } }
            let read = try IssuerSigned(decoding: credential.encoded(), options: .deployed)
            #expect(read.deviations.isEmpty != Self.fullySpecified.contains(algorithm))
            let verification = utopia.verifier().verifyForStorage(read)
            let outcome = verification.outcome(of: .algorithm)
            if Self.allPairs.contains(Pair(curve, algorithm)) {
                #expect(outcome == .passed, "\(algorithm)")
            } else if case .failed(let reason, _) = outcome {
                #expect(reason == .algorithmNotAllowed, "\(algorithm)")
            } else {
                Issue.record("\(algorithm) on \(curve): \(String(describing: outcome))")
            }
        }
    }

    private func expectUnsupported(_ verification: Verification<VerifiedIssuerSigned>, _ sourceLocation: SourceLocation)
    {
        guard let failure = verification.failure else {
            Issue.record("verified", sourceLocation: sourceLocation)
            return
        }
        #expect(failure.check == .algorithm, "\(verification.checks)", sourceLocation: sourceLocation)
        #expect(failure.reason == .unsupportedCurve, sourceLocation: sourceLocation)
    }

    /// Keys that certificates can have and the standard does not name for signatures.
    @Test(arguments: [.secp256k1, .x25519, .x448].filter(\.isSupported) as [EllipticCurve])
    func issuersKeysThatTheStandardDoesNotHave(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia()
        let certificate = try await utopia.certificate(for: PrivateKey.generate(curve).publicKey)
        let forged = try await utopia.licence(x5chain: [certificate.derBytes]) { _ in }
        expectUnsupported(utopia.verifier().verifyForStorage(forged), #_sourceLocation)
    }

    @Test(.enabled(if: EllipticCurve.secp256k1.isSupported))
    func deviceKeyThatTheStandardDoesNotHave() async throws {
        let utopia = try await Utopia()
        let key = try COSEKey(publicKey: PrivateKey.generate(.secp256k1).publicKey)
        let value = try CBOR(decoding: key.encoded())
        let forged = try await utopia.licence { $0.change("deviceKeyInfo") { $0.set("deviceKey", value) } }
        expectUnsupported(utopia.verifier().verifyForStorage(forged), #_sourceLocation)
    }

    /// A missing engine in this build is not a fault of the credential.
    @Test(.enabled(if: !EllipticCurve.brainpoolP256r1.isSupported))
    func deviceKeyThatThisBuildCannotUse() async throws {
        let utopia = try await Utopia()
        let coordinate = CBOR.bytes([UInt8](repeating: 1, count: 32))
        let forged = try await utopia.licence { object in
            object.change("deviceKeyInfo") {
                $0.set("deviceKey", [1: 2, -1: 256, -2: coordinate, -3: coordinate])
            }
        }
        expectUnsupported(utopia.verifier().verifyForStorage(forged), #_sourceLocation)
    }

    /// SHA-256 is spelled in one way only.
    @Test(arguments: ["sha-256", "SHA256", "SHA-1", "SHA3-256", "SHA-256 ", ""])
    func hashFunctionsThatTheStandardDoesNotHave(_ name: String) async throws {
        let utopia = try await Utopia()
        let forged = try await utopia.licence { $0.set("digestAlgorithm", .text(name)) }
        guard let failure = utopia.verifier().verifyForStorage(forged).failure else {
            Issue.record("verified")
            return
        }
        #expect(failure.check == .structure)
        #expect(failure.reason == .mobileCredentialInvalid)
    }
}
