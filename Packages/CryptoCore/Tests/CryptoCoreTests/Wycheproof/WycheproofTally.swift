import CryptoCore
import TestSupport
import Testing

/// The results of one Wycheproof file.
struct WycheproofTally {
    private(set) var accepted = 0
    private(set) var refused = 0
    /// The number of skipped tests, by reason.
    private(set) var passedOver: [String: Int] = [:]

    /// Runs every test of a file and checks each outcome against the file's word.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - group: The form of the file's groups.
    ///   - acceptable: The decision on an `acceptable` test.
    ///   - body: Runs one test. A ``CryptoError`` that it throws is a refusal, or for a valid test puts it outside where
    ///     the code says that no engine has the algorithm, that the key is weak or that a limit is exceeded.
    init<Group: WycheproofGroup>(
        _ file: VectorFile,
        _ group: Group.Type = Group.self,
        acceptable: (Group.Test) -> WycheproofResult = { _ in .acceptable },
        _ body: (Group, Group.Test) throws -> WycheproofOutcome
    ) throws {
        let content = try file.decode(WycheproofFile<Group>.self)
        for group in content.testGroups {
            for test in group.tests {
                let outcome = try Self.outcome(of: test, in: group, body)
                let wanted = test.result == .acceptable ? acceptable(test) : test.result
                record(outcome, wanted, "\(file.path) \(test.tcId): \(test.comment) \(test.flags)")
            }
        }
        #expect(accepted + refused + passedOver.values.reduce(0, +) == content.numberOfTests)
    }

    /// Passes a whole file over.
    init(passingOver header: WycheproofHeader, because reason: String) {
        passedOver = [reason: header.numberOfTests]
    }

    /// Prints the counts, in one go so that files running at the same time do not mix their lines.
    func report(_ file: VectorFile) {
        var text = "vectors: \(file.testDescription): \(accepted + refused) ran"
        text += " (\(accepted) accepted, \(refused) refused)"
        for (reason, count) in passedOver { text += ", \(count) passed over: \(reason)" }
        print(text)
    }

    /// The refusals that say nothing against the test: it is beyond what this build, or any, is made for.
    private static let limits: [CryptoError.Code] = [.unsupported, .weakKey, .limitExceeded]

    private static func outcome<Group: WycheproofGroup>(
        of test: Group.Test,
        in group: Group,
        _ body: (Group, Group.Test) throws -> WycheproofOutcome
    ) throws -> WycheproofOutcome {
        do {
            return try body(group, test)
        } catch let error as UnknownAlgorithm {
            return .outside(error.reason)
        } catch let error as CryptoError where limits.contains(error.code) && test.result != .invalid {
            return .outside(error.message)
        } catch is CryptoError {
            return .refused
        }
    }

    private mutating func record(_ outcome: WycheproofOutcome, _ wanted: WycheproofResult, _ name: String) {
        switch outcome {
        case .accepted:
            #expect(wanted == .valid, "accepted: \(name)")
            accepted += 1
        case .refused:
            #expect(wanted == .invalid, "refused: \(name)")
            refused += 1
        case .outside(let reason):
            passedOver[reason, default: 0] += 1
        }
    }
}
