import CryptoCore
@_spi(Layers) import JSONKit

/// Puts Disclosures in the place of their digests (RFC 9901, section 7.1, step 3), in one pass over the payload.
///
/// Recursion goes only as deep as the processed payload, which is bounded.
struct DisclosureProcessing {
    private let disclosures: any DisclosureList
    private var table: DigestTable
    private let maximumDepth: Int
    private var trace: ClaimTrace
    /// The Disclosures whose digest has been found.
    private var isUsed: [Bool]
    /// The digests without a Disclosure.
    private var unmatched: [ArraySlice<UInt8>] = []

    private init(_ disclosures: any DisclosureList, hash: HashAlgorithm, limits: SDJWTLimits) throws(SDJWTError) {
        self.disclosures = disclosures
        table = try DigestTable(disclosures, hash: hash)
        maximumDepth = limits.boundedDepth
        trace = ClaimTrace(capacity: disclosures.count + 16)
        isUsed = Array(repeating: false, count: disclosures.count)
    }

    /// The processed payload.
    static func process(
        _ payload: JSONObjectView,
        _ disclosures: any DisclosureList,
        hash: HashAlgorithm,
        limits: SDJWTLimits
    ) throws(SDJWTError) -> SDJWTPayload {
        var processing = try DisclosureProcessing(disclosures, hash: hash, limits: limits)
        return try processing.process(payload.view)
    }

    private mutating func process(_ payload: JSONView) throws(SDJWTError) -> SDJWTPayload {
        let text = DigestedText(payload.document, inside: payload.position)
        let root = trace.open(disclosure: nil)
        var (claims, isComplete) = try members(of: payload.position, in: text, depth: 1)
        try requireAllUsed()
        try requireDistinctDigests()
        let length = ReservedName.hashAlgorithm.utf8.count
        if let place = claims.firstIndex(where: {
            $0.name.utf8.count == length && $0.name == ReservedName.hashAlgorithm
        }) {
            claims.remove(at: place)
            trace.removeMember(at: place)
        }
        trace.close(root, as: .object(isComplete: isComplete))
        return SDJWTPayload(JSONObject(distinct: claims), trace)
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
    private mutating func requireDistinctDigests() throws(SDJWTError) {
        guard unmatched.count > 1 else { return }
        // In their place, since nothing depends on their order.
        unmatched.sort { $0.lexicographicallyPrecedes($1) }
        for (one, other) in zip(unmatched, unmatched.dropFirst()) where one == other {
            throw Self.duplicate(one)
        }
    }

    private static func duplicate(_ digest: ArraySlice<UInt8>) -> SDJWTError {
        SDJWTError(.duplicateDigest, "the digest \(String(decoding: digest.prefix(90), as: UTF8.self)) occurs twice")
    }

    /// The place of the Disclosure that an embedded digest stands for, or `nil` if it is missing.
    private mutating func resolve(_ digest: JSONPosition, in text: DigestedText) throws(SDJWTError) -> Int? {
        let place = try find(digest, in: text)
        guard let place, !isUsed[place] else {
            let bytes = try Self.bytes(of: digest, in: text.document)
            guard place == nil else { throw Self.duplicate(bytes) }
            unmatched.append(bytes)
            return nil
        }
        isUsed[place] = true
        return place
    }

    private mutating func find(_ digest: JSONPosition, in text: DigestedText) throws(SDJWTError) -> Int? {
        guard let range = text.document.stringRange(at: digest) else {
            let bytes = try Self.bytes(of: digest, in: text.document)
            return table.disclosure(for: bytes.span)
        }
        return table.disclosure(for: text.bytes.span.extracting(range))
    }

    private static func bytes(
        of digest: JSONPosition,
        in document: JSONDocument
    ) throws(SDJWTError) -> ArraySlice<UInt8> {
        do throws(JSONError) {
            return try document.stringBytes(at: digest)
        } catch {
            throw SDJWTError(.malformedDigest, "a digest at \(document.view(at: digest).path) is no string")
        }
    }
}

// MARK: - Values

extension DisclosureProcessing {
    /// A value in which digests are replaced.
    ///
    /// - Parameters:
    ///   - position: Its position in the text.
    ///   - text: Its text.
    ///   - depth: Its depth in the processed payload.
    ///   - disclosure: The Disclosure that it came from.
    private mutating func claim(
        _ position: JSONPosition,
        in text: DigestedText,
        depth: Int,
        disclosure: Int? = nil
    ) throws(SDJWTError) -> JSONValue {
        guard text.hasDigests(inside: position) else {
            trace.add(.plain, disclosure: disclosure)
            return try plainValue(position, in: text.document, depth: depth)
        }
        let node = trace.open(disclosure: disclosure)
        guard text.document.kind(at: position) == .object else {
            let elements = try elements(of: position, in: text, depth: depth)
            trace.close(node, as: .array)
            return .array(elements)
        }
        let (members, isComplete) = try members(of: position, in: text, depth: depth)
        trace.close(node, as: .object(isComplete: isComplete))
        return .object(JSONObject(distinct: members))
    }

    /// A value without digests.
    private func plainValue(
        _ position: JSONPosition,
        in document: JSONDocument,
        depth: Int
    ) throws(SDJWTError) -> JSONValue {
        // A depth that is allowed for the deepest value of the text is allowed for this one.
        if depth + document.depth(at: document.rootPosition) > maximumDepth {
            try requireDepth(depth + document.depth(at: position) - 1)
        }
        return try reading(.malformed) { () throws(JSONError) in try document.value(at: position) }
    }

    /// The value inside a Disclosure.
    private mutating func claim(
        of disclosures: any DisclosureList,
        at place: Int,
        depth: Int
    ) throws(SDJWTError) -> JSONValue {
        if let scalar = disclosures.scalar(at: place) {
            trace.add(.plain, disclosure: place)
            return scalar
        }
        let position = disclosures.valuePosition(at: place)
        let text = DigestedText(disclosures.contents(at: place), inside: position)
        return try claim(position, in: text, depth: depth, disclosure: place)
    }

    private func requireDepth(_ depth: Int) throws(SDJWTError) {
        guard depth <= maximumDepth else {
            throw SDJWTError(.limitExceeded, "the payload is nested deeper than \(maximumDepth)")
        }
    }
}

// MARK: - Objects and arrays

extension DisclosureProcessing {
    /// Members, and whether every digest has been replaced by one.
    private typealias Members = (list: [JSONObject.Entry], isComplete: Bool)

    /// The members of an object: the open ones, then the disclosed ones.
    private mutating func members(
        of object: JSONPosition,
        in text: DigestedText,
        depth: Int
    ) throws(SDJWTError) -> Members {
        try requireDepth(depth)
        let document = text.document
        var members: [JSONObject.Entry] = []
        members.reserveCapacity(document.count(at: object))
        var digests: JSONPosition?
        var next = document.firstMember(of: object)
        while let value = next {
            let name = document.name(ofMemberAt: value)
            switch name {
            case ReservedName.digests: digests = value
            case ReservedName.element:
                let path = document.view(at: object).path
                throw SDJWTError(.malformedDigest, "at \(path) there is a member \"...\" that is no digest")
            default:
                let claim = try claim(value, in: text, depth: depth + 1)
                members.append(JSONObject.Entry(name: name, value: claim))
            }
            next = document.member(after: value, in: object)
        }
        guard let digests else { return (members, true) }
        let isComplete = try disclose(digests, of: text, into: &members, depth: depth)
        return (members, isComplete)
    }

    /// Appends the members that the digests of an object stand for; tells whether it is all of them.
    private mutating func disclose(
        _ digests: JSONPosition,
        of text: DigestedText,
        into members: inout [JSONObject.Entry],
        depth: Int
    ) throws(SDJWTError) -> Bool {
        let document = text.document
        // Held once, and not anew for each.
        let disclosures = disclosures
        guard document.kind(at: digests) == .array else {
            throw SDJWTError(.malformedDigest, reading: .typeMismatch(expected: .array, at: document.view(at: digests)))
        }
        let count = document.count(at: digests)
        members.reserveCapacity(members.count + min(count, disclosures.count))
        // Only once: room for a few more each time would cost a copy each time.
        if unmatched.isEmpty { unmatched.reserveCapacity(max(0, count - disclosures.count)) }
        var names = ClaimNames(members)
        var isComplete = true
        var next = document.firstElement(of: digests)
        while let digest = next {
            if let place = try resolve(digest, in: text) {
                members.append(
                    try member(of: disclosures, at: place, besides: members, &names, depth: depth + 1)
                )
            } else {
                isComplete = false
            }
            next = document.element(after: digest, in: digests)
        }
        return isComplete
    }

    /// The member that a Disclosure brings to an object, which must not have one of that name yet.
    private mutating func member(
        of disclosures: any DisclosureList,
        at place: Int,
        besides members: [JSONObject.Entry],
        _ names: inout ClaimNames,
        depth: Int
    ) throws(SDJWTError) -> JSONObject.Entry {
        do throws(SDJWTError) {
            guard let name = disclosures.claimName(at: place) else {
                throw SDJWTError(.wrongDisclosureKind, "a Disclosure for an array element stands for a member")
            }
            try ReservedName.refuse(name)
            guard names.insert(name, to: members) else {
                throw SDJWTError(.duplicateClaim, "a claim \"\(name)\" is there already")
            }
            let value = try claim(of: disclosures, at: place, depth: depth)
            return JSONObject.Entry(name: name, value: value)
        } catch {
            throw error.inside("disclosures[\(place)]")
        }
    }

    /// The elements of an array, without those that are withheld.
    private mutating func elements(
        of array: JSONPosition,
        in text: DigestedText,
        depth: Int
    ) throws(SDJWTError) -> [JSONValue] {
        try requireDepth(depth)
        let document = text.document
        var elements: [JSONValue] = []
        elements.reserveCapacity(document.count(at: array))
        var next = document.firstElement(of: array)
        while let element = next {
            if let digest = document.member(ReservedName.element, of: element) {
                guard document.count(at: element) == 1 else {
                    let path = document.view(at: element).path
                    throw SDJWTError(.malformedDigest, "at \(path) there are members beside \"...\"")
                }
                if let value = try disclosedElement(digest, in: text, depth: depth + 1) { elements.append(value) }
            } else {
                elements.append(try claim(element, in: text, depth: depth + 1))
            }
            next = document.element(after: element, in: array)
        }
        return elements
    }

    /// The element that a digest stands for; nil if it is withheld.
    private mutating func disclosedElement(
        _ digest: JSONPosition,
        in text: DigestedText,
        depth: Int
    ) throws(SDJWTError) -> JSONValue? {
        guard let place = try resolve(digest, in: text) else {
            trace.add(.withheld)
            return nil
        }
        do throws(SDJWTError) {
            guard disclosures.claimName(at: place) == nil else {
                throw SDJWTError(.wrongDisclosureKind, "a Disclosure for a member stands for an array element")
            }
            return try claim(of: disclosures, at: place, depth: depth)
        } catch {
            throw error.inside("disclosures[\(place)]")
        }
    }
}
