import CryptoCore
import JSONKit

/// Puts Disclosures in the place of their digests (RFC 9901, section 7.1, step 3), in one pass over the payload.
///
/// What recursion there is goes as deep as the processed payload, which is bounded.
struct DisclosureProcessing {
    private let disclosures: [Disclosure]
    private let table: DigestTable
    private let maximumDepth: Int
    /// Which Disclosures have been found a place for.
    private var isUsed: [Bool]
    /// The digests that stand for no Disclosure that is there.
    private var unmatched: [ArraySlice<UInt8>] = []

    private init(_ disclosures: [Disclosure], hash: HashAlgorithm, limits: SDJWTLimits) throws(SDJWTError) {
        self.disclosures = disclosures
        table = try DigestTable(disclosures, hash: hash)
        maximumDepth = limits.boundedDepth
        isUsed = Array(repeating: false, count: disclosures.count)
    }

    /// The processed payload: an object.
    static func process(
        _ payload: JSONObjectView,
        _ disclosures: [Disclosure],
        hash: HashAlgorithm,
        limits: SDJWTLimits
    ) throws(SDJWTError) -> ProcessedClaim {
        var processing = try DisclosureProcessing(disclosures, hash: hash, limits: limits)
        var members = try processing.members(of: payload, depth: 1)
        try processing.requireAllUsed()
        try processing.requireDistinctDigests()
        if let place = members.list.firstIndex(where: { $0.name == ReservedName.hashAlgorithm }) {
            members.list.remove(at: place)
        }
        return ProcessedClaim(content: .object(members.list, isComplete: members.isComplete), disclosure: nil)
    }

    /// Step 5: every Disclosure has its digest.
    private func requireAllUsed() throws(SDJWTError) {
        guard let unused = isUsed.firstIndex(of: false) else { return }
        throw SDJWTError(
            .unreferencedDisclosure,
            "no digest in the payload stands for the Disclosure",
            path: ["disclosures[\(unused)]"]
        )
    }

    /// Step 4, for the digests that stand for no Disclosure.
    private func requireDistinctDigests() throws(SDJWTError) {
        let sorted = unmatched.sorted { $0.lexicographicallyPrecedes($1) }
        for (one, other) in zip(sorted, sorted.dropFirst()) where one == other {
            throw Self.duplicate(one)
        }
    }

    private static func duplicate(_ digest: ArraySlice<UInt8>) -> SDJWTError {
        SDJWTError(.duplicateDigest, "the digest \(String(decoding: digest.prefix(90), as: UTF8.self)) occurs twice")
    }

    /// The place of the Disclosure that an embedded digest stands for, or nil where it is not there.
    private mutating func resolve(_ digest: JSONView) throws(SDJWTError) -> Int? {
        guard digest.kind == .string, let text = try? digest.stringBytes() else {
            throw SDJWTError(.malformedDigest, "a digest at \(digest.path) is no string")
        }
        guard let place = table.disclosure(for: text) else {
            unmatched.append(text)
            return nil
        }
        guard !isUsed[place] else { throw Self.duplicate(text) }
        isUsed[place] = true
        return place
    }
}

// MARK: - Values

extension DisclosureProcessing {
    /// A value in which digests are replaced.
    private mutating func claim(_ view: JSONView, depth: Int, disclosure: Int?) throws(SDJWTError) -> ProcessedClaim {
        switch view.kind {
        case .object:
            let object = try reading(.malformed) { () throws(JSONError) in try view.object() }
            return Self.joined(try members(of: object, depth: depth), disclosure)
        case .array:
            let array = try reading(.malformed) { () throws(JSONError) in try view.array() }
            return Self.joined(try elements(of: array, depth: depth), disclosure)
        default:
            let value = try reading(.malformed) { () throws(JSONError) in try view.value() }
            return ProcessedClaim(content: .plain(value), disclosure: disclosure)
        }
    }

    /// The value inside a Disclosure, which has been read already.
    private mutating func disclosedClaim(_ place: Int, depth: Int) throws(SDJWTError) -> ProcessedClaim {
        let value = disclosures[place].value
        guard value.kind == .object || value.kind == .array else {
            return ProcessedClaim(content: .plain(value), disclosure: place)
        }
        do throws(SDJWTError) {
            return try claim(disclosures[place].valueView, depth: depth, disclosure: place)
        } catch {
            throw error.inside("disclosures[\(place)]")
        }
    }

    private func requireDepth(_ depth: Int) throws(SDJWTError) {
        guard depth <= maximumDepth else {
            throw SDJWTError(.limitExceeded, "the payload is nested deeper than \(maximumDepth)")
        }
    }

    /// Members as a value that is plain where all of them are.
    private static func joined(_ members: Members, _ disclosure: Int?) -> ProcessedClaim {
        guard members.isComplete, members.list.allSatisfy(\.claim.isPlain) else {
            return ProcessedClaim(
                content: .object(members.list, isComplete: members.isComplete),
                disclosure: disclosure
            )
        }
        let plain = members.list.compactMap { member in member.claim.value.map { (member.name, $0) } }
        return ProcessedClaim(content: .plain(.object(JSONObject(distinct: plain))), disclosure: disclosure)
    }

    /// Elements as a value that is plain where all of them are.
    private static func joined(_ elements: [ProcessedClaim], _ disclosure: Int?) -> ProcessedClaim {
        guard elements.allSatisfy(\.isPlain) else {
            return ProcessedClaim(content: .array(elements), disclosure: disclosure)
        }
        return ProcessedClaim(content: .plain(.array(elements.compactMap(\.value))), disclosure: disclosure)
    }
}

// MARK: - Objects and arrays

extension DisclosureProcessing {
    /// Members, and whether every digest has been replaced by one.
    private typealias Members = (list: [ProcessedClaim.Member], isComplete: Bool)

    /// The members of an object: those that stand there, then those that are disclosed.
    private mutating func members(of object: JSONObjectView, depth: Int) throws(SDJWTError) -> Members {
        try requireDepth(depth)
        var members: Members = ([], true)
        members.list.reserveCapacity(object.count)
        var digests: JSONView?
        for (name, value) in object {
            switch name {
            case ReservedName.digests: digests = value
            case ReservedName.element:
                throw SDJWTError(.malformedDigest, "at \(object.view.path) there is a member \"...\" that is no digest")
            default: members.list.append((name, try claim(value, depth: depth + 1, disclosure: nil)))
            }
        }
        if let digests { try disclose(digests, into: &members, depth: depth) }
        return members
    }

    /// Appends the members that the digests of an object stand for.
    private mutating func disclose(
        _ digests: JSONView,
        into members: inout Members,
        depth: Int
    ) throws(SDJWTError) {
        let list = try reading(.malformedDigest) { () throws(JSONError) in try digests.array() }
        var names = ClaimNames(members.list.map(\.name))
        for digest in list {
            guard let place = try resolve(digest) else {
                members.isComplete = false
                continue
            }
            let name = try memberName(place)
            guard names.insert(name) else {
                throw SDJWTError(
                    .duplicateClaim,
                    "a claim \"\(name)\" is there already",
                    path: ["disclosures[\(place)]"]
                )
            }
            members.list.append((name, try disclosedClaim(place, depth: depth + 1)))
        }
    }

    /// The name that a Disclosure brings to an object.
    private func memberName(_ place: Int) throws(SDJWTError) -> String {
        do throws(SDJWTError) {
            guard let name = disclosures[place].claimName else {
                throw SDJWTError(.wrongDisclosureKind, "a Disclosure for an array element stands for a member")
            }
            try ReservedName.refuse(name)
            return name
        } catch {
            throw error.inside("disclosures[\(place)]")
        }
    }

    /// The elements of an array, with placeholders for those that are withheld.
    private mutating func elements(of array: JSONArrayView, depth: Int) throws(SDJWTError) -> [ProcessedClaim] {
        try requireDepth(depth)
        var elements: [ProcessedClaim] = []
        elements.reserveCapacity(array.count)
        for element in array {
            guard let digest = element[ReservedName.element] else {
                elements.append(try claim(element, depth: depth + 1, disclosure: nil))
                continue
            }
            let object = try reading(.malformed) { () throws(JSONError) in try element.object() }
            guard object.count == 1 else {
                throw SDJWTError(.malformedDigest, "at \(element.path) there are members beside \"...\"")
            }
            elements.append(try disclosedElement(digest, depth: depth))
        }
        return elements
    }

    private mutating func disclosedElement(_ digest: JSONView, depth: Int) throws(SDJWTError) -> ProcessedClaim {
        guard let place = try resolve(digest) else {
            return ProcessedClaim(content: .withheld, disclosure: nil)
        }
        guard disclosures[place].claimName == nil else {
            throw SDJWTError(
                .wrongDisclosureKind,
                "a Disclosure for a member stands for an array element",
                path: ["disclosures[\(place)]"]
            )
        }
        return try disclosedClaim(place, depth: depth + 1)
    }
}
