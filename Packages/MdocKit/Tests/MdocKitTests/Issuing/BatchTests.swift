import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocElements
import MdocKit
import TestSupport
import Testing

@Suite struct BatchTests {
    private func keys(_ count: Int) throws -> [PrivateKey] {
        let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 9))
        return try (0..<count).map { _ in try PrivateKey.generate(.p256, using: random) }
    }

    private func verified(_ credential: IssuerSigned, _ utopia: Utopia, _ key: PublicKey) -> VerifiedIssuerSigned? {
        guard case .verified(let credential) = utopia.verifier().verifyForStorage(credential, deviceKey: key).verdict
        else {
            return nil
        }
        return credential
    }

    @Test func issuesCopiesThatShareNothingButTheElements() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        builder.decoys = [.mDL: 3]
        let keys = try keys(12)
        let bindings = keys.map { DeviceBinding($0.publicKey) }
        let credentials = try await builder.template(x5chain: [utopia.documentSigner])
            .sign(for: bindings, with: SoftwareSigner(utopia.documentSignerKey))
        #expect(credentials.count == 12)
        var randoms: Set<[UInt8]> = []
        var digests: Set<[UInt8]> = []
        var orders: Set<[UInt32]> = []
        for (credential, key) in zip(credentials, keys) {
            #expect(verified(credential, utopia, key.publicKey)?.deviceKey == key.publicKey)
            #expect(verified(credential, utopia, utopia.deviceKey.publicKey) == nil)
            let items = credential.nameSpaces.flatMap(\.items)
            #expect(
                items.map(\.elementIdentifier) == credentials[0].nameSpaces.flatMap(\.items).map(\.elementIdentifier)
            )
            randoms.formUnion(items.map { [UInt8]($0.random) })
            for nameSpace in credential.mobileSecurityObject.valueDigests.nameSpaces {
                let found = credential.mobileSecurityObject.valueDigests[nameSpace]
                digests.formUnion(found.map { [UInt8]($0.digest) })
            }
            orders.insert(credential[.mDL].map(\.digestID.value))
        }
        #expect(randoms.count == 12 * 7)
        #expect(digests.count == 12 * 10)
        #expect(orders.count > 6)
    }

    @Test func givesEachCopyItsOwnStatus() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        func status(_ index: UInt64) -> MobileSecurityObject.Status {
            MobileSecurityObject.Status(statusList: .init(index: index, uri: "https://utopia.example/list"))
        }
        builder.status = status(99)
        builder.keyInfo = [1: "usual"]
        let keys = try keys(3)
        let bindings = [
            DeviceBinding(keys[0].publicKey, status: status(0)),
            DeviceBinding(keys[1].publicKey, status: status(1), keyInfo: [1: "own"]),
            DeviceBinding(keys[2].publicKey),
        ]
        let objects = try await builder.template(x5chain: [utopia.documentSigner])
            .sign(for: bindings, with: SoftwareSigner(utopia.documentSignerKey), atOnce: 1)
            .map(\.mobileSecurityObject)
        #expect(objects.map { $0.status?.statusList?.index } == [0, 1, 99])
        #expect(objects.map { $0.deviceKeyInfo.keyInfo?.value() } == [[1: "usual"], [1: "own"], [1: "usual"]])
    }

    @Test func signsInTwoSteps() async throws {
        let utopia = try await Utopia()
        let keys = try keys(3)
        let template = try utopia.builder().template(x5chain: [utopia.documentSigner])
        let batch = try template.prepare(for: keys.map { DeviceBinding($0.publicKey) })
        #expect(batch.allSatisfy { $0.algorithm == .ecdsaSHA256 })
        let signer = try SoftwareSigner(utopia.documentSignerKey)
        let signatures = try batch.map { try signer.signature(for: $0.bytesToSign) }
        let credentials = try IssuanceTemplate.completed(batch, with: signatures)
        for (credential, key) in zip(credentials, keys) {
            #expect(verified(credential, utopia, key.publicKey) != nil)
        }
        let swapped = #expect(throws: MdocError.self) {
            try IssuanceTemplate.completed(batch, with: signatures.reversed())
        }
        #expect(swapped?.code == .signingFailed)
        let tooFew = #expect(throws: MdocError.self) {
            try IssuanceTemplate.completed(batch, with: signatures.dropLast())
        }
        #expect(tooFew?.code == .invalidValue)
    }

    @Test func preparesFromManyTasks() async throws {
        let utopia = try await Utopia()
        let template = try utopia.builder().template(x5chain: [utopia.documentSigner])
        let keys = try keys(8)
        let bytes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for key in keys {
                group.addTask { try template.prepare(for: DeviceBinding(key.publicKey)).bytesToSign }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bytes.count == 8)
    }

    @Test func keepsTheOrderOfTheBindings() async throws {
        /// Lets others go first, the more so the earlier it is asked.
        actor Turns {
            private var next = 20
            func take() -> Int {
                next -= 1
                return next
            }
        }
        struct Slow: Signer {
            let inner: SoftwareSigner
            let turns = Turns()
            var publicKey: PublicKey { inner.publicKey }
            var algorithm: SignatureAlgorithm { inner.algorithm }
            func signature(for message: [UInt8]) async throws -> [UInt8] {
                for _ in 0..<(await turns.take() * 10) { await Task.yield() }
                return try inner.signature(for: message)
            }
        }
        let utopia = try await Utopia()
        let keys = try keys(10)
        let credentials = try await utopia.builder().template(x5chain: [utopia.documentSigner])
            .sign(
                for: keys.map { DeviceBinding($0.publicKey) },
                with: Slow(inner: SoftwareSigner(utopia.documentSignerKey))
            )
        let bound = try credentials.map { try $0.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey() }
        #expect(bound == keys.map(\.publicKey))
    }

    @Test func aTemplateNeedsNoKeyOfItsOwn() async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(docType: .mDL, validityInfo: Utopia.validity)
        try builder.add("Doe", as: "family_name", in: .mDL)
        #expect(builder.deviceKey == nil)
        let binding = DeviceBinding(utopia.deviceKey.publicKey)
        let credentials = try await builder.template(x5chain: [utopia.documentSigner])
            .sign(for: [binding], with: SoftwareSigner(utopia.documentSignerKey))
        let key = try credentials.first?.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey()
        #expect(key == utopia.deviceKey.publicKey)
        let error = #expect(throws: MdocError.self) { try builder.prepare(x5chain: [utopia.documentSigner]) }
        #expect(error?.code == .invalidValue)
    }

    @Test func refusesTheSameKeyTwice() async throws {
        let utopia = try await Utopia()
        let template = try utopia.builder().template(x5chain: [utopia.documentSigner])
        let binding = DeviceBinding(utopia.deviceKey.publicKey)
        let error = #expect(throws: MdocError.self) { try template.prepare(for: [binding, binding]) }
        #expect(error?.code == .invalidValue)
    }

    @Test(.enabled(if: EllipticCurve.secp256k1.isSupported))
    func refusesAKeyThatTheStandardDoesNotHave() async throws {
        let utopia = try await Utopia()
        let template = try utopia.builder().template(x5chain: [utopia.documentSigner])
        let key = try PrivateKey.generate(.secp256k1).publicKey
        let error = #expect(throws: MdocError.self) { try template.prepare(for: [DeviceBinding(key)]) }
        #expect(error?.code == .unsupportedKey)
    }

    @Test func passesOnTheFailureOfASigner() async throws {
        let utopia = try await Utopia()
        let template = try utopia.builder().template(x5chain: [utopia.documentSigner])
        let bindings = try keys(3).map { DeviceBinding($0.publicKey) }
        let error = await #expect(throws: MdocError.self) {
            try await template.sign(for: bindings, with: SoftwareSigner(utopia.readerKey))
        }
        #expect(error?.code == .signingFailed)
        #expect(try await template.sign(for: [], with: SoftwareSigner(utopia.documentSignerKey)).isEmpty)
    }

    @Test func refusesARandomSourceThatRepeatsItself() async throws {
        struct Stuck: RandomSource {
            func bytes(_ count: Int) -> [UInt8] {
                count == 8 ? SystemRandomSource().bytes(8) : Array(repeating: 7, count: count)
            }
        }
        let utopia = try await Utopia()
        let builder = try utopia.builder()
        let error = #expect(throws: MdocError.self) {
            try builder.prepare(x5chain: [utopia.documentSigner], using: Stuck())
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func writesOneRandomDigestWhereThereIsNoElement() async throws {
        let utopia = try await Utopia()
        for (docType, nameSpace) in [(.mDL, .mDL), ("org.example.doc", "org.example.doc")] as [(DocType, NameSpace)] {
            let builder = IssuerSignedBuilder(
                docType: docType,
                deviceKey: utopia.deviceKey.publicKey,
                validityInfo: Utopia.validity
            )
            let credential = try await utopia.issue(builder)
            #expect(credential.nameSpaces.isEmpty)
            #expect(credential.mobileSecurityObject.valueDigests.nameSpaces == [nameSpace])
            #expect(credential.mobileSecurityObject.valueDigests[nameSpace].count == 1)
            #expect(verified(credential, utopia, utopia.deviceKey.publicKey) != nil)
        }
    }

    @Test func checksTheElementsAgainstTheirTables() async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add(DataElementSchemaTests.licence)
        builder.schema = DataElementSchema.mDL
        _ = try builder.template(x5chain: [utopia.documentSigner])
        try builder.add("UT", as: "nationality", in: .mDL)
        let error = #expect(throws: MdocError.self) { try builder.template(x5chain: [utopia.documentSigner]) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("nationality") == true)
        builder.toleratedDeviations = [.unassignedCountryCode]
        _ = try builder.template(x5chain: [utopia.documentSigner])
        builder.schema = DataElementSchema.euPID
        let other = #expect(throws: MdocError.self) { try builder.template(x5chain: [utopia.documentSigner]) }
        #expect(other?.code == .invalidValue)
        let twice = #expect(throws: MdocError.self) { try builder.add(DataElementSchemaTests.licence) }
        #expect(twice?.code == .duplicateElement)
    }

    @Test func keepsTheElementsOfTheTableFromTheDevice() async throws {
        let utopia = try await Utopia()
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: Utopia.validity
        )
        try builder.add(DataElementSchemaTests.licence)
        builder.schema = DataElementSchema.mDL
        for authorizations in [
            try KeyAuthorizations(nameSpaces: [.mDL]),
            try KeyAuthorizations(dataElements: [DataElementReference(.mDL, "age_over_18")]),
        ] {
            builder.keyAuthorizations = authorizations
            builder.toleratedDeviations = []
            let error = #expect(throws: MdocError.self) { try builder.template(x5chain: [utopia.documentSigner]) }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("deviceMaySign") == true)
            builder.toleratedDeviations = [.deviceMaySign]
            _ = try builder.template(x5chain: [utopia.documentSigner])
        }
        builder.toleratedDeviations = []
        builder.keyAuthorizations = try KeyAuthorizations(
            nameSpaces: ["org.example"],
            dataElements: [DataElementReference(.mDL, "shoe_size")]
        )
        _ = try builder.template(x5chain: [utopia.documentSigner])
    }

    @Test func refusesMoreDigestsThanThereAreNumbers() async throws {
        let utopia = try await Utopia()
        var builder = try utopia.builder()
        for decoys in [(1 << 31) - 1, 1 << 31, Int.max] {
            builder.decoys = [.mDL: decoys]
            let error = #expect(throws: MdocError.self) { try builder.template(x5chain: [utopia.documentSigner]) }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test func roundsTimesDown() {
        let info = ValidityInfo(
            signed: Date(timeIntervalSince1970: 1_705_312_799.5),
            validFrom: Date(timeIntervalSince1970: 1_705_312_801),
            validUntil: Date(timeIntervalSince1970: -1),
            expectedUpdate: Date(timeIntervalSince1970: 86_400)
        )
        let day = info.rounded()
        #expect(day.signed.timeIntervalSince1970 == 1_705_276_800)
        #expect(day.validFrom == day.signed)
        #expect(day.validUntil.timeIntervalSince1970 == -86_400)
        #expect(day.expectedUpdate?.timeIntervalSince1970 == 86_400)
        #expect(info.rounded(toMultiplesOf: 3_600).validFrom.timeIntervalSince1970 == 1_705_312_800)
        #expect(info.rounded(toMultiplesOf: 0).signed.timeIntervalSince1970 == 1_705_312_799)
    }
}
