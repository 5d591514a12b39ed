import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import Testing

/// The work of a verification, in counts instead of times.
@Suite struct VerificationWorkTests {
    /// A licence with a number of elements, their digests in a random order.
    private func licence(
        _ count: Int,
        nameSpaces: Int = 1,
        _ utopia: Utopia,
        signedBy signer: PrivateKey? = nil
    ) async throws -> IssuerSigned {
        var digests = CBORMap()
        var items = CBORMap()
        for number in 0..<nameSpaces {
            var group: [CBORMap.Pair] = []
            var elements: [CBOR] = []
            for index in 0..<count {
                let item: CBOR = [
                    "digestID": .integer(index), "random": .bytes([UInt8](repeating: 7, count: 16)),
                    "elementIdentifier": .text("element_\(index)"), "elementValue": .integer(index),
                ]
                let bytes = CBOR.tagged(24, .bytes(item.encoded()))
                elements.append(bytes)
                let digest = HashAlgorithm.sha256.digest(of: bytes.encoded())
                group.append(CBORMap.Pair(key: .integer(index), value: .bytes(digest)))
            }
            digests.append(.text("org.example.\(number)"), .map(CBORMap(group.reversed())))
            items.append(.text("org.example.\(number)"), .array(elements))
        }
        let signed = try await utopia.licence(signedBy: signer) { $0.set("valueDigests", .map(digests)) }
        var credential = try CBOR(decoding: [UInt8](signed.encodedBytes))
        credential.set("nameSpaces", .map(items))
        return try IssuerSigned(decoding: credential.encoded())
    }

    /// The verifications of the documents of a response, with their work.
    private func documents(
        of response: DeviceResponse,
        _ utopia: Utopia,
        with verifier: MdocVerifier? = nil
    ) async -> [(verification: Verification<VerifiedMdocDocument>, work: VerificationWork)] {
        let session = ReaderSession(transcript: utopia.transcript, keys: [utopia.ephemeralReaderKey])
        let (verification, work) = await (verifier ?? utopia.verifier()).verifyCountingWork(response, in: session)
        return Array(zip(verification.documents, work)).map { (verification: $0, work: $1) }
    }

    @Test func everyItemIsHashedOnce() async throws {
        let utopia = try await Utopia()
        let licence = try await licence(40, nameSpaces: 3, utopia)
        let (verification, work) = utopia.verifier().verifyForStorageCountingWork(licence)
        #expect(verification.verified != nil, "\(verification.checks)")
        #expect(work.digests == 120)
        #expect(work.issuerSignatures == 1)
    }

    /// Doubling the items, or the namespaces, at most doubles the work.
    @Test(arguments: [(64, 2), (256, 1)]) func workGrowsWithTheItems(_ count: Int, nameSpaces: Int) async throws {
        let utopia = try await Utopia()
        let verifier = utopia.verifier()
        let once = verifier.verifyForStorageCountingWork(try await licence(count, nameSpaces: nameSpaces, utopia)).work
        let items = verifier.verifyForStorageCountingWork(try await licence(2 * count, nameSpaces: nameSpaces, utopia))
            .work
        let spaces = verifier.verifyForStorageCountingWork(try await licence(count, nameSpaces: 2 * nameSpaces, utopia))
            .work
        for twice in [items, spaces] {
            #expect(twice.digests == 2 * once.digests)
            #expect(twice.digestsCompared <= 2 * once.digestsCompared)
        }
        #expect(once.digestsCompared == count * nameSpaces)
    }

    /// A forged signature costs its own check and nothing that the forger can enlarge.
    @Test func nothingIsHashedBehindAForgedSignature() async throws {
        let utopia = try await Utopia()
        let forged = try await licence(100, utopia, signedBy: utopia.readerKey)
        let (verification, work) = utopia.verifier().verifyForStorageCountingWork(forged)
        #expect(work.digests == 0)
        #expect(work.digestsCompared == 0)
        #expect(work.issuerSignatures == 1)
        #expect(verification.failure?.check == .issuerSignature)
        #expect(verification.outcome(of: .digests) == .notReached)
    }

    /// An untrusted issuer vouches for nothing: its signature is not checked.
    @Test func notEvenTheSignatureOfAnUnknownIssuerIsChecked() async throws {
        let utopia = try await Utopia()
        let response = try await utopia.present(try await licence(30, utopia))
        let stranger = MdocVerifier(trustAnchors: [], clock: { Utopia.now })
        let document = try #require(await documents(of: response, utopia, with: stranger).first)
        #expect(document.verification.failure?.check == .issuerTrust)
        #expect(document.work.issuerSignatures == 0)
        #expect(document.work.digests == 0)
        #expect(document.work.deviceAuthentications == 0)
        #expect(document.verification.checks.map(\.check) == MdocVerifier.documentChecks)
    }

    @Test func deviceKeyOfAForgedDocumentIsNotUsed() async throws {
        let utopia = try await Utopia()
        let forged = try await licence(3, utopia, signedBy: utopia.readerKey)
        let document = try #require(await documents(of: try await utopia.present(forged), utopia).first)
        #expect(document.work.deviceAuthentications == 0)
        #expect(document.work.authorizations == 0)
        #expect(document.verification.failure?.check == .issuerSignature)
    }

    /// A developer's search for faults gets all of them, with the same verdict.
    @Test func everyCheckIsMadeWhereThePolicyWantsIt() async throws {
        let utopia = try await Utopia()
        var policy = MdocVerificationPolicy()
        policy.makesAllChecks = true
        let forged = try await licence(30, utopia, signedBy: utopia.readerKey)
        let response = try await utopia.present(forged)
        let verifier = utopia.verifier(policy: policy)
        let document = try #require(await documents(of: response, utopia, with: verifier).first)
        #expect(document.verification.failure?.check == .issuerSignature)
        #expect(document.work.digests == 30)
        #expect(document.work.deviceAuthentications == 1)
        for check: Check in [.digests, .keyAuthorizations, .holderBinding] {
            #expect(document.verification.outcome(of: check) == .passed)
        }
    }

    /// Each document costs its own share.
    @Test func workGrowsWithTheDocuments() async throws {
        let utopia = try await Utopia()
        let one = try await utopia.present(try await licence(20, utopia))
        var message = try CBOR(decoding: [UInt8](one.encodedBytes))
        message.change("documents") { documents in
            guard case .array(let elements) = documents else { return }
            documents = .array([CBOR](repeating: elements[0], count: 10))
        }
        let documents = await documents(of: try DeviceResponse(decoding: message.encoded()), utopia)
        #expect(documents.filter { $0.verification.verified != nil }.count == 10)
        #expect(documents.map(\.work.digests) == [Int](repeating: 20, count: 10))
    }
}
