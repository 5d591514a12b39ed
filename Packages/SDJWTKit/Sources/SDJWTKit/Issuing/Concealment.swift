import CryptoCore
import JOSEKit
import JSONKit

/// Replaces marked claims by digests and collects their Disclosures (RFC 9901, section 4.2).
///
/// Recursion goes only as deep as the paths of the marks.
struct Concealment {
    private(set) var disclosures: [SDJWTDisclosure] = []
    private let hash: HashAlgorithm
    private let saltSize: Int
    private let random: any RandomSource

    init(hash: HashAlgorithm, saltSize: Int, using random: any RandomSource) {
        self.hash = hash
        self.saltSize = saltSize
        self.random = random
    }

    /// The members of an object with digests for what is marked in them.
    mutating func conceal(_ object: JSONObject, _ marks: ConcealmentMarks) throws(SDJWTError) -> JSONObject {
        var members: [JSONObject.Member] = []
        var digests = (0..<marks.decoys).map { _ in decoy() }
        for (name, value) in object {
            let mark = marks.members[ExactText(name)] ?? ConcealmentMarks()
            let shown = try conceal(value, mark)
            guard mark.isConcealed else {
                members.append((name, shown))
                continue
            }
            digests.append(add(try SDJWTDisclosure(name: name, value: shown, saltSize: saltSize, using: random)))
        }
        // Sorted, so that the order tells nothing about the claims (section 4.2.4.1).
        if !digests.isEmpty { members.append((ReservedName.digests, .array(digests.sorted().map { .string($0) }))) }
        return JSONObject(members)
    }

    private mutating func conceal(_ value: JSONValue, _ marks: ConcealmentMarks) throws(SDJWTError) -> JSONValue {
        guard !marks.isEmpty else { return value }
        switch value {
        case .object(let object): return .object(try conceal(object, marks))
        case .array(let elements): return .array(try conceal(elements, marks))
        default: return value
        }
    }

    private mutating func conceal(_ array: [JSONValue], _ marks: ConcealmentMarks) throws(SDJWTError) -> [JSONValue] {
        var elements: [JSONValue] = []
        for (index, value) in array.enumerated() {
            let mark = marks.elements[index] ?? ConcealmentMarks()
            let shown = try conceal(value, mark)
            guard mark.isConcealed else {
                elements.append(shown)
                continue
            }
            elements.append(placeholder(add(try SDJWTDisclosure(element: shown, saltSize: saltSize, using: random))))
        }
        var generator = SourceGenerator(random)
        for _ in 0..<marks.decoys {
            elements.insert(placeholder(decoy()), at: Int.random(in: 0...elements.count, using: &generator))
        }
        return elements
    }

    private mutating func add(_ disclosure: SDJWTDisclosure) -> String {
        disclosures.append(disclosure)
        return disclosure.digest(hash)
    }

    private func placeholder(_ digest: String) -> JSONValue {
        [ReservedName.element: .string(digest)]
    }

    /// A digest that no Disclosure belongs to (section 4.2.5).
    private func decoy() -> String {
        Base64URL.encode(hash.digest(of: random.bytes(hash.digestSize)))
    }
}

/// A random source in the form that random places take.
private struct SourceGenerator: RandomNumberGenerator {
    private let source: any RandomSource

    init(_ source: any RandomSource) {
        self.source = source
    }

    mutating func next() -> UInt64 {
        source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
