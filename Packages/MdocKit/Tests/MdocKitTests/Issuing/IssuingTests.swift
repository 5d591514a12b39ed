import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

@Suite struct IssuingTests {
    @Test(arguments: EllipticCurve.standardForSignatures)
    func issuesWithEveryCurveOfTheStandard(_ curve: EllipticCurve) async throws {
        let utopia = try await Utopia.make(signerCurve: curve)
        let verification = utopia.verifier().verifyForStorage(try await utopia.licence())
        guard case .verified = verification.verdict else {
            Issue.record("\(verification.checks)")
            return
        }
    }

    @Test(arguments: [.sha256, .sha384, .sha512] as [DigestAlgorithm])
    func issuesWithEveryHashFunctionOfTheStandard(_ algorithm: DigestAlgorithm) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.digestAlgorithm = algorithm
        let licence = try await utopia.issue(builder)
        let object = licence.mobileSecurityObject
        #expect(object.digestAlgorithm == algorithm)
        #expect(object.valueDigests[.mDL].first?.digest.count == algorithm.hash?.digestSize)
        guard case .verified = utopia.verifier().verifyForStorage(licence).verdict else {
            Issue.record("refused")
            return
        }
    }

    @Test func repeatsWithTheSameRandomness() async throws {
        let utopia = try await Utopia()
        let builder = try utopia.builder()
        func prepare(_ seed: UInt64) throws -> UnsignedIssuerSigned {
            let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: seed))
            return try builder.prepare(x5chain: [utopia.documentSigner], using: random)
        }
        #expect(try prepare(1).bytesToSign == prepare(1).bytesToSign)
        #expect(try prepare(1).bytesToSign != prepare(2).bytesToSign)
        let signature = try SoftwareSigner(utopia.documentSignerKey).signature(for: prepare(1).bytesToSign)
        let first = try prepare(1).completed(with: signature)
        let second = try prepare(1).completed(with: signature)
        #expect(first.encodedBytes == second.encodedBytes)
    }

    @Test func shufflesTheNumbers() async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        for index in 0..<40 { try builder.add(.integer(index), as: DataElementIdentifier("e\(index)"), in: .mDL) }
        builder.decoys = [.mDL: 10, "org.example": 3]
        let licence = try await utopia.issue(builder)
        let numbers = licence[.mDL].map(\.digestID.value)
        #expect(Set(numbers).count == 40)
        #expect(numbers != numbers.sorted())
        let digests = licence.mobileSecurityObject.valueDigests
        #expect(digests[.mDL].map(\.digestID.value) == Array(0..<50))
        #expect(digests["org.example"].count == 3)
        #expect(licence.nameSpaces.map(\.nameSpace) == [.mDL])
        #expect(Set(licence[.mDL].map { [UInt8]($0.random) }).count == 40)
        #expect(licence[.mDL].allSatisfy { $0.random.count == 32 })
    }

    @Test func carriesEverythingThatTheIssuerSays() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder(
            validity: ValidityInfo(
                signed: Utopia.now,
                validFrom: Utopia.now,
                validUntil: Utopia.now + Utopia.day,
                expectedUpdate: Utopia.now + Utopia.day / 2
            )
        )
        let authorizations = try KeyAuthorizations(
            nameSpaces: ["org.example"],
            dataElements: [DataElementReference(.mDL, "a"), DataElementReference(.mDL, "b")]
        )
        let status = MobileSecurityObject.Status(
            statusList: .init(index: 412, uri: "https://utopia.example/list", certificate: [1, 2]),
            identifierList: .init(identifier: [3], uri: "https://utopia.example/ids")
        )
        builder.keyAuthorizations = authorizations
        builder.status = status
        builder.keyInfo = [1: "software"]
        let object = try await utopia.issue(builder).mobileSecurityObject
        #expect(object.deviceKeyInfo.keyAuthorizations == authorizations)
        #expect(object.deviceKeyInfo.keyInfo?.value() == [1: "software"])
        #expect(object.status == status)
        #expect(object.validityInfo == builder.validityInfo)
        #expect(object.version == .v1_0)
        #expect(try object.deviceKeyInfo.deviceKey.publicKey() == utopia.deviceKey.publicKey)
    }

    @Test func aCredentialOfDecoysAlone() async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        builder.decoys = [.mDL: 1]
        let licence = try await utopia.issue(builder)
        #expect(licence.nameSpaces.isEmpty)
        guard case .verified = utopia.verifier().verifyForStorage(licence).verdict else {
            Issue.record("refused")
            return
        }
    }

    @Test func refusesTheSameElementTwice() async throws {
        var builder = try await Utopia().builder()
        let error = #expect(throws: MdocError.self) { try builder.add("Roe", as: "family_name", in: .mDL) }
        #expect(error?.code == .duplicateElement)
    }

    /// Contents that a builder must not sign.
    enum Fault: CaseIterable {
        case negativeDecoys, shortRandom, longRandom, unknownHash, validBeforeSigned, emptyPeriod, noCertificate,
            periodBackwards, notYetCertified
        case longerThanCertificate, timeOutOfRange, rootInChain
    }

    @Test(arguments: Fault.allCases)
    func refusesWhatReadersWouldRefuse(_ fault: Fault) async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        var x5chain = [utopia.documentSigner]
        func validity(_ from: Double, _ until: Double, signed: Double = 0) throws {
            let info = ValidityInfo(
                signed: Utopia.now + signed * Utopia.day,
                validFrom: Utopia.now + from * Utopia.day,
                validUntil: Utopia.now + until * Utopia.day
            )
            builder = try utopia.builder(validity: info)
        }
        switch fault {
        case .negativeDecoys: builder.decoys = [.mDL: -1]
        case .shortRandom: builder.randomSize = 15
        case .longRandom: builder.randomSize = 33
        case .validBeforeSigned: try validity(-1, 1)
        case .emptyPeriod: try validity(1, 1 + 0.2 / Utopia.day)
        case .unknownHash: builder.digestAlgorithm = "SHA-1"
        case .noCertificate: x5chain = []
        case .rootInChain: x5chain.append(utopia.iaca.certificate)
        case .periodBackwards: try validity(2, 1)
        case .notYetCertified: try validity(0, 1, signed: -100)
        case .longerThanCertificate: try validity(0, 10_000)
        case .timeOutOfRange:
            let info = ValidityInfo(
                signed: Utopia.now,
                validFrom: Utopia.now,
                validUntil: Utopia.now + Utopia.day,
                expectedUpdate: Utopia.now + 10_000_000 * Utopia.day
            )
            builder = try utopia.builder(validity: info)
        }
        let error = #expect(throws: MdocError.self) { try builder.prepare(x5chain: x5chain) }
        #expect(error?.code == .invalidValue)
    }

    @Test(.enabled(if: EllipticCurve.secp256k1.isSupported))
    func refusesADeviceKeyThatTheStandardDoesNotHave() async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: try PrivateKey.generate(.secp256k1).publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add("Doe", as: "family_name", in: .mDL)
        let error = #expect(throws: MdocError.self) { try builder.prepare(x5chain: [utopia.documentSigner]) }
        #expect(error?.code == .unsupportedKey)
    }

    @Test func refusesASignatureByAnotherKey() async throws {
        let utopia = try await Utopia()
        let builder = try utopia.builder()
        let unsigned = try builder.prepare(x5chain: [utopia.documentSigner])
        #expect(unsigned.algorithm == .ecdsaSHA256)
        let signature = try SoftwareSigner(utopia.readerKey).signature(for: unsigned.bytesToSign)
        for wrong in [signature, [], [0x30]] {
            let error = #expect(throws: MdocError.self) { try unsigned.completed(with: wrong) }
            #expect(error?.code == .signingFailed)
        }
        let error = await #expect(throws: MdocError.self) {
            try await builder.sign(with: SoftwareSigner(utopia.readerKey), x5chain: [utopia.documentSigner])
        }
        #expect(error?.code == .signingFailed)
    }

    @Test func passesOnTheFailureOfASigner() async throws {
        struct Broken: Signer {
            let publicKey: PublicKey
            let algorithm = SignatureAlgorithm.ecdsaSHA256
            func signature(for message: [UInt8]) async throws -> [UInt8] { throw CocoaError(.userCancelled) }
        }
        let utopia = try await Utopia()
        let signer = Broken(publicKey: utopia.documentSignerKey.publicKey)
        let builder = try utopia.builder()
        let error = await #expect(throws: MdocError.self) {
            try await builder.sign(with: signer, x5chain: [utopia.documentSigner])
        }
        #expect(error?.code == .signingFailed)
        #expect((error?.cause as? CocoaError)?.code == .userCancelled)
    }

    @Test func refusesAuthorizationsThatTheStandardForbids() {
        let empty = #expect(throws: MdocError.self) { try KeyAuthorizations() }
        #expect(empty?.code == .invalidValue)
        let both = #expect(throws: MdocError.self) {
            try KeyAuthorizations(nameSpaces: [.mDL], dataElements: [DataElementReference(.mDL, "a")])
        }
        #expect(both?.code == .invalidValue)
    }
}
