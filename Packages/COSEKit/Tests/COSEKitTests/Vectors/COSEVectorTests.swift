import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct COSEVectorTests {
    static let set = VectorSet("cose")

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: set.files(withExtension: "json"))
    func everyFileOfTheSet(file: VectorFile) async throws {
        switch try file.decode(VectorShape.self) {
        case .example: try await run(try file.decode(ExampleFile.self), file)
        case .sign1: try file.decode(Sign1Vectors.self).run(file)
        case .symmetric: try file.decode(SymmetricVectors.self).run(file)
        case .countersignatures: try file.decode(CountersignatureVectors.self).run(file)
        case .thumbprints: try file.decode(ThumbprintVectors.self).run(file)
        }
    }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence), arguments: set.files(withExtension: "txt"))
    func everyKeySetInNotation(file: VectorFile) throws {
        let keys = try NotationKeySet(file)
        for (name, key) in keys.keys {
            if key.keyType == .symmetric {
                #expect(try key.symmetricKey().count > 0, "\(name)")
            } else {
                #expect(try key.privateKey().publicKey == key.publicKey(), "\(name)")
            }
        }
        #expect(!keys.keys.isEmpty)
        file.report(ran: keys.keys.count, passedOver: keys.passedOver)
    }

    private func run(_ example: ExampleFile, _ file: VectorFile) async throws {
        if let reason = example.reasonToPassOver {
            let error = try await #require(throws: COSEError.self) { try await run(example) }
            #expect(error.code == .unsupportedAlgorithm)
            file.report(ran: 0, passedOver: [(example.title, reason)])
        } else if example.fail == true {
            await #expect(throws: COSEError.self) { try await run(example) }
            file.report(ran: 1)
        } else {
            do {
                try await run(example)
                file.report(ran: 1)
            } catch let error as COSEError where EngineCoverage.excuses(error) {
                file.report(ran: 0, passedOver: [(example.title, error.message)])
            }
        }
    }

    /// Opens the message; one with `alg` in the unprotected bucket is opened under the tolerance for it, and says so.
    private func run(_ example: ExampleFile) async throws {
        do {
            try await ExampleRunner(example, unprotectedAlgorithm: false).run()
        } catch let error as COSEError where error.code == .algorithmNotProtected {
            try await ExampleRunner(example, unprotectedAlgorithm: true).run()
            print("vectors:   \(example.title): taken under the tolerance for an unprotected alg")
        }
    }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence))
    func atMostFivePercentAreNotRun() throws {
        let files = Self.set.files(withExtension: "json", "txt")
        var passedOver: [String] = []
        for file in files where file.path.hasSuffix(".json") {
            guard case .example = try file.decode(VectorShape.self) else { continue }
            guard let reason = try file.decode(ExampleFile.self).reasonToPassOver else { continue }
            passedOver.append("\(file.path): \(reason)")
        }
        print("vectors: cose: \(files.count) files, \(passedOver.count) not run")
        for line in passedOver { print("vectors:   \(line)") }
        #expect(passedOver.count * 20 <= files.count)
    }
}
