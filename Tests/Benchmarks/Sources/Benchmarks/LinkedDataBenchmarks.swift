import CryptoCore
import DIDKit
import Foundation
import Harness
import JOSEKit
import JSONKit
import LinkedDataKit
import TestSupport

/// Canonicalization beside PyLD, and verification beside the signature that none can do without.
///
/// The document is the first credential of the W3C's EdDSA vectors, which are not part of the repository: without them
/// nothing is measured.
enum LinkedDataBenchmarks: LayerBenchmarks {
    static let layer = "LinkedDataKit"

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        guard let scene = try Scene() else {
            print("LinkedDataKit: no external vectors")
            return
        }
        func add(_ name: String, _ value: Double, _ unit: String = "", _ bar: Bar? = nil) {
            report(Figure(layer: layer, name: name, value: value, unit: unit, bar: bar))
        }
        let quads = try scene.canonical().count { $0 == UInt8(ascii: "\n") }
        let canonical = try stopwatch.nanoseconds { blackHole(try scene.canonical()) }
        add("expand and canonicalize a credential of \(quads) quads", canonical / 1000, "µs")
        if let peer = scene.peer() {
            add("PyLD: the same", peer, "µs")
            add("speed over PyLD", peer * 1000 / canonical, "", .atLeast(30))
        }
        let verification = try await stopwatch.compare {
            try await scene.verify()
        } withSynchronous: {
            scene.verifyBareSignature()
        }
        add("verify it, contexts cached / its bare Ed25519 verification", verification.ratio, "", .atMost(3.5))
        add("verify it, contexts cached", verification.nanosecondsOfA / 1000, "µs")
        add("its bare Ed25519 verification", verification.nanosecondsOfB / 1000, "µs")
        let allocations = try await Allocations { try await scene.verify() }
        let size = scene.document.encodedBytes.count
        allocations?.figures(layer: layer, of: "verify it, contexts cached", input: size, bars: (215, 4, 4))
            .forEach(report)
        try steps(scene, stopwatch, add)
        let sizes = try (scene.graph(quads: 1000), scene.graph(quads: 2000))
        let growth = try stopwatch.compare {
            blackHole(try sizes.1.canonicalNQuads())
        } with: {
            blackHole(try sizes.0.canonicalNQuads())
        }
        add("canonicalize 2,000 quads / 1,000 quads", growth.ratio, "", .atMost(2.4))
        try scaling(scene, report: report)
        add("context cache, full", scene.cacheSize(), "MB", .atMost(16))
    }

    /// The steps of a verification, for the profile.
    private static func steps(
        _ scene: Scene,
        _ stopwatch: Stopwatch,
        _ add: (String, Double, String, Bar?) -> Void
    ) throws {
        let text = Array(scene.document.encodedBytes)
        let reading = try stopwatch.nanoseconds { blackHole(try SecuredDocument(decoding: text)) }
        add("  read the text, not part of it", reading / 1000, "µs", nil)
        let options = try stopwatch.nanoseconds { blackHole(try scene.canonicalOptions()) }
        add("  expand and canonicalize the options", options / 1000, "µs", nil)
        let resolving = try stopwatch.nanoseconds { blackHole(try scene.resolve()) }
        add("  resolve did:key", resolving / 1000, "µs", nil)
        let decoding = try stopwatch.nanoseconds { blackHole(try Multibase.decode(scene.proofValue)) }
        add("  decode the signature", decoding / 1000, "µs", nil)
        let expanding = try stopwatch.nanoseconds { blackHole(try scene.expanded()) }
        add("  expand the document", expanding / 1000, "µs", nil)
    }

    private static func scaling(_ scene: Scene, report: (Figure) -> Void) throws {
        // Each thread has its own document; the verifier and its contexts are one, as in a server.
        let scenes = try (0..<2).map { _ in try scene.receivedAgain() }
        let contention = Contention(
            rounds: 400,
            scenes.map(verification),
            bareRounds: 800,
            bare: (0..<2).map { _ in { scene.verifyBareSignature() } }
        )
        contention.figures(layer: layer, of: "verify", beside: "bare Ed25519 verification").forEach(report)
    }

    private static func verification(_ scene: Scene) -> @Sendable () -> Void {
        {
            do {
                try InlineTask.run { try await scene.verify() }
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    private struct Scene: Sendable {
        private(set) var document: SecuredDocument
        let proofValue: String
        private let processor: JSONLDProcessor
        private let options: JSONLDOptions
        private let verifier: LinkedDataVerifier
        private let key: PublicKey
        private let keyName: DIDURL
        private let signature: [UInt8]
        private let hashData: [UInt8]
        private let unsecured: JSONValue
        private let proofOptions: JSONValue

        init?() throws {
            guard let file = VectorSet("oid4vp").file("vc-di-eddsa.json") else { return nil }
            let vector = try JSONValue(parsing: file.bytes())["vectors"]?[0]
            guard let secured = vector?["securedDocument"]?.objectValue, let unsecured = vector?["unsecuredDocument"],
                let proofOptions = vector?["proofConfig"], let proofValue = vector?["proofValue"]?.stringValue,
                let method = proofOptions["verificationMethod"]?.stringValue
            else { return nil }
            document = try SecuredDocument(json: secured)
            self.unsecured = unsecured
            self.proofOptions = proofOptions
            self.proofValue = proofValue
            processor = JSONLDProcessor(contexts: try Self.contexts())
            let vocabulary: ExactText = "https://www.w3.org/ns/credentials/examples#"
            options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: [vocabulary]))
            verifier = LinkedDataVerifier(policy: LinkedDataProofPolicy(linkedData: options), processor: processor)
            signature = try Multibase.decode(proofValue)
            hashData = try verifier.input(ofProofAt: 0, in: document).hashData
            keyName = try DIDURL(method)
            key = try Multikey(keyName.did.identifier).publicKey
        }

        /// The same scene whose document was read anew and shares no memory with this one's.
        func receivedAgain() throws -> Scene {
            var scene = self
            scene.document = try SecuredDocument(decoding: document.encodedBytes)
            return scene
        }

        /// The contexts of the vector set that are not part of the module.
        private static func contexts() throws -> ContextRegistry {
            var contexts = ContextRegistry.builtIn
            let set = VectorSet("json-ld/contexts")
            guard let index = set.file("index.json") else { return contexts }
            for entry in try JSONValue(parsing: index.bytes()).arrayValue ?? [] {
                guard let url = entry["url"]?.stringValue, let path = entry["file"]?.stringValue,
                    let file = set.file(path), !contexts.urls.contains(ExactText(url))
                else { continue }
                let bytes = try file.bytes()
                try contexts.add(bytes, at: url, sha256: HashAlgorithm.sha256.digest(of: bytes))
            }
            return contexts
        }

        func expanded() throws -> ExpandedDocument { try processor.expand(unsecured, options: options) }

        func canonical() throws -> [UInt8] { try processor.toRDF(unsecured, options: options).canonicalNQuads() }

        func canonicalOptions() throws -> [UInt8] {
            try processor.toRDF(proofOptions, options: options).canonicalNQuads()
        }

        func resolve() throws -> PublicKey {
            try DIDKeyMethod().verificationMethod(keyName, for: .assertionMethod, at: Date()).jwk().publicKey()
        }

        func verify() async throws {
            blackHole(try await verifier.verify(document, expecting: LinkedDataExpectation()).get())
        }

        func verifyBareSignature() {
            let isValid = key.isValidSignature(signature, for: hashData, algorithm: .ed25519)
            precondition(isValid, "the signature verifies")
        }

        /// A graph of blank nodes in a chain, four quads each.
        func graph(quads: Int) throws -> RDFDataset {
            var text = ""
            for node in 0..<quads / 4 {
                text += "_:n\(node) <urn:next> _:n\(node + 1) .\n_:n\(node) <urn:number> \"\(node)\" .\n"
                text += "_:n\(node) <urn:name> \"name \(node)\" .\n_:n\(node) <urn:kind> <urn:kind:\(node % 7)> .\n"
            }
            return try RDFDataset(parsing: Array(text.utf8))
        }

        /// The memory that processed contexts take once the cache of a processor is full, in megabytes.
        func cacheSize() -> Double {
            PeakMemory.restart()
            let before = PeakMemory.bytes ?? 0
            let processor = JSONLDProcessor()
            // Threads have different parts of the cache.
            for thread in 0..<4 {
                let done = DispatchSemaphore(value: 0)
                Thread {
                    for number in 0..<1000 { Self.expand(thread * 1000 + number, with: processor) }
                    done.signal()
                }
                .start()
                done.wait()
            }
            defer { blackHole(processor) }
            return Double((PeakMemory.bytes ?? 0) - before) / 1_000_000
        }

        /// Expands a document whose context no other has.
        private static func expand(_ number: Int, with processor: JSONLDProcessor) {
            var terms: JSONObject = [:]
            for term in 0..<200 { terms["term\(term)"] = .string("urn:\(number):\(term)") }
            let document: JSONValue = ["@context": .object(terms), "@id": "urn:a", "term0": "A"]
            do { blackHole(try processor.expand(document)) } catch { preconditionFailure("\(error)") }
        }

        /// PyLD's microseconds for expansion and canonicalization; nil if it is not installed.
        func peer() -> Double? {
            guard let index = VectorSet("json-ld/contexts").file("index.json") else { return nil }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
            defer { try? FileManager.default.removeItem(at: file) }
            guard (try? Data(unsecured.encoded()).write(to: file)) != nil else { return nil }
            return PeerScript.number(of: "linked_data_peer.py", [file.path, index.url.path])
        }
    }
}
