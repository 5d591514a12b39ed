import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// The W3C's vectors of Ed25519Signature2020, eddsa-rdfc-2022 and eddsa-jcs-2022, with proof sets and chains.
@Suite(.enabled(if: VectorSet("oid4vp").isAvailable && VectorSet("json-ld").isAvailable, VectorSet.absence))
struct DataIntegrityVectorTests {
    private let file: VectorFile
    private let vectors: JSONValue
    private let prover: LinkedDataProver
    private let verifier: LinkedDataVerifier

    init() throws {
        file = try #require(VectorSet("oid4vp").file("vc-di-eddsa.json"))
        vectors = try JSONValue(parsing: file.bytes())
        let processor = JSONLDProcessor(contexts: try Credentials.registry())
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: [Credentials.exampleVocabulary]))
        prover = LinkedDataProver(processor: processor, options: options)
        verifier = LinkedDataVerifier(
            policy: LinkedDataProofPolicy(linkedData: options),
            processor: processor,
            clock: { ProofScene.now }
        )
    }

    /// The key of a multikey with a private part: two bytes of prefix, and the seed.
    private func signer(_ pair: JSONValue?) throws -> SoftwareSigner {
        let bytes = try Multibase.decode(try #require(pair?["privateKeyMultibase"]?.stringValue))
        try #require(bytes.starts(with: [0x80, 0x26]))
        return try SoftwareSigner(PrivateKey(curve: .ed25519, rawRepresentation: bytes.dropFirst(2)))
    }

    private func options(_ config: JSONValue) throws -> LinkedDataProofOptions {
        let created = try #require(config["created"]?.stringValue)
        let previous = config["previousProof"].map { $0.arrayValue ?? [$0] } ?? []
        return LinkedDataProofOptions(
            verificationMethod: try DIDURL(#require(config["verificationMethod"]?.stringValue)),
            created: try Date(created, strategy: .iso8601),
            id: config["id"]?.stringValue,
            previousProofs: previous.compactMap { $0.stringValue.map { ExactText($0) } }
        )
    }

    @Test func signsAndVerifiesEachVector() async throws {
        var ran = 0
        for vector in try #require(vectors["vectors"]?.arrayValue) {
            let name = try #require(vector["id"]?.stringValue)
            let suite = LinkedDataProofSuite(
                type: ExactText(try #require(vector["proofConfig"]?["type"]?.stringValue)),
                cryptosuite: vector["proofConfig"]?["cryptosuite"]?.stringValue.map { ExactText($0) }
            )
            let document = try #require(vector["unsecuredDocument"]?.objectValue)
            let signer = try signer(vectors["key"])
            let options = try options(try #require(vector["proofConfig"]))
            let unsigned = try prover.prepare(document, suite: suite, options: options, for: signer.publicKey)
            expect(unsigned.input, isOf: vector, name)
            #expect(unsigned.bytesToSign.hex == vector["hashData"]?.stringValue, "\(name)")

            let signature = try signer.signature(for: unsigned.bytesToSign)
            #expect(signature.hex == vector["signatureHex"]?.stringValue, "\(name)")
            let signed = try unsigned.completed(with: signature)
            #expect(signed.proofs.first?.members["proofValue"] == vector["proofValue"], "\(name)")
            #expect(JSONValue.object(signed.unverifiedMembers) == vector["securedDocument"], "\(name)")

            let secured = try SecuredDocument(decoding: try #require(vector["securedDocument"]).encoded())
            expect(try verifier.input(ofProofAt: 0, in: secured), isOf: vector, name)
            let verification = await verifier.verify(secured, expecting: LinkedDataExpectation())
            #expect(verification.verified?.document == document, "\(name): \(String(describing: verification.refusal))")
            ran += 1
        }
        file.report(ran: ran)
        #expect(ran == 4)
    }

    private func expect(_ input: LinkedDataProofInput, isOf vector: JSONValue, _ name: String) {
        #expect(String(decoding: input.canonicalDocument, as: UTF8.self) == vector["canonicalDocument"]?.stringValue)
        #expect(String(decoding: input.canonicalOptions, as: UTF8.self) == vector["canonicalProofConfig"]?.stringValue)
        #expect(input.documentDigest.hex == vector["documentHashHex"]?.stringValue, "\(name)")
        #expect(input.optionsDigest.hex == vector["proofHashHex"]?.stringValue, "\(name)")
    }

    @Test func signsAndVerifiesProofSetsAndChains() async throws {
        let files = try #require(vectors["proofSetsAndChains"]?["files"])
        let pairs = try #require(files["multiKeyPairs.json"])
        var document = try #require(files["unsigned.json"]?.objectValue)
        let steps = [
            ("proofSetConfig1", "keyPair1", "signedProofSet1"), ("proofSetConfig2", "keyPair2", "signedProofSet2"),
            ("proofChainConfig1", "keyPair3", "signedProofChain1"),
            ("proofChainConfig2", "keyPair4", "signedProofChain2"),
        ]
        for (config, pair, result) in steps {
            let options = try options(try #require(files[config + ".json"]))
            let signed = try await prover.sign(
                document,
                suite: .eddsaRDFC2022,
                options: options,
                with: signer(pairs[pair])
            )
            document = signed.unverifiedMembers
            #expect(JSONValue.object(document) == files[result + ".json"], "\(result)")
            let secured = try SecuredDocument(json: try #require(files[result + ".json"]?.objectValue))
            let verification = await verifier.verify(secured, expecting: LinkedDataExpectation())
            #expect(verification.verified?.proofs.count == secured.proofs.count, "\(result)")
        }
        file.report(ran: steps.count)
    }

    @Test func refusesAChainWithoutTheProofThatItCovers() async throws {
        let files = try #require(vectors["proofSetsAndChains"]?["files"])
        let chain = try #require(files["signedProofChain2.json"]?.objectValue)
        for left in 0..<3 {
            var proofs = try #require(chain["proof"]?.arrayValue)
            proofs.remove(at: left)
            var document = chain
            document["proof"] = .array(proofs)
            let verification = await verifier.verify(
                try SecuredDocument(json: document),
                expecting: LinkedDataExpectation()
            )
            #expect(verification.refusal?.reason == .previousProofNotVerified)
        }
    }
}
