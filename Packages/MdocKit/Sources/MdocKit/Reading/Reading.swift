import CBORKit

/// What a message is read with, and what was tolerated so far; handed on to the parts of the message.
struct Reading {
    let options: MdocReadingOptions
    private(set) var deviations: [MdocDeviation] = []

    /// What every item is read with at first.
    private let strict: CBORReadingOptions

    init(_ options: MdocReadingOptions) {
        var strict = CBORReadingOptions()
        strict.limits.size = options.limits.messageSize
        strict.limits.depth = options.limits.nestingDepth
        strict.requiresShortestArguments = true
        strict.requiresDefiniteLengths = true
        strict.indexesEmbeddedItems = true
        self.strict = strict
        self.options = options
    }

    /// Lets a deviation pass if it is tolerated, and notes it.
    mutating func tolerate(_ tolerance: MdocTolerance, at view: CBORView) throws(MdocError) {
        try tolerate(tolerance, path: view.path)
    }

    /// Lets a deviation pass if it is tolerated, and notes it; one without a place concerns the whole message.
    mutating func tolerate(_ tolerance: MdocTolerance, path: CBORPath = CBORPath()) throws(MdocError) {
        guard options.tolerances.contains(tolerance) else {
            throw MdocError(.deviation, "not tolerated: \(tolerance)", path: path)
        }
        deviations.append(MdocDeviation(tolerance: tolerance, path: path))
    }

    /// Checks and indexes a whole message.
    mutating func message(_ bytes: ArraySlice<UInt8>) throws(MdocError) -> CBORView {
        let limit = options.limits.messageSize
        guard bytes.count <= limit else {
            throw MdocError(.limitExceeded, "a message of \(bytes.count) bytes exceeds the limit of \(limit)")
        }
        return try document { (options) throws(CBORError) in try CBORDocument(bytes, options: options) }
    }

    /// The item within a tag-24 byte string.
    mutating func embedded(_ view: CBORView) throws(MdocError) -> CBORView {
        // What was indexed along with the message was held to the strict form.
        if view.tag == 24, let item = view.embeddedItem { return item }
        return try content(of: try cbor(view.content(ofTag: 24)))
    }

    /// The map within a tag-24 byte string.
    mutating func embeddedMap(_ view: CBORView) throws(MdocError) -> CBORMapView {
        let item = try embedded(view)
        return try cbor(item.map())
    }

    /// The members of the map within a tag-24 byte string.
    mutating func embeddedMembers(_ view: CBORView, _ names: CBORMemberNames) throws(MdocError) -> CBORMembers {
        let item = try embedded(view)
        return try cbor(item.members(names))
    }

    /// The item within a byte string.
    mutating func content(of byteString: CBORView) throws(MdocError) -> CBORView {
        try document { (options) throws(CBORError) in try byteString.embedded(options: options) }
    }

    /// Parses strictly first; what fails for its encoding alone is parsed again, and the deviations are noted.
    @inline(__always)
    private mutating func document(
        _ parse: (CBORReadingOptions) throws(CBORError) -> CBORDocument
    ) throws(MdocError) -> CBORView {
        do {
            return try parse(strict).root
        } catch  where error.code == .notDeterministic {
            return try tolerantDocument(parse)
        } catch {
            throw MdocError(reading: error)
        }
    }

    private mutating func tolerantDocument(
        _ parse: (CBORReadingOptions) throws(CBORError) -> CBORDocument
    ) throws(MdocError) -> CBORView {
        var tolerant = strict
        tolerant.requiresShortestArguments = false
        tolerant.requiresDefiniteLengths = false
        // What is embedded is held to the strict form by itself, so that its own deviations are noted.
        tolerant.indexesEmbeddedItems = false
        let root = try cbor(parse(tolerant)).root
        var shortest = tolerant
        shortest.requiresShortestArguments = true
        var definite = tolerant
        definite.requiresDefiniteLengths = true
        for (tolerance, demand) in [(MdocTolerance.nonPreferredEncoding, shortest), (.indefiniteLength, definite)] {
            do { _ = try parse(demand) } catch { try tolerate(tolerance, path: error.path) }
        }
        return root
    }
}

/// Turns the error of a CBOR access into one of this module.
@inline(__always)
func cbor<Value>(_ access: @autoclosure () throws(CBORError) -> Value) throws(MdocError) -> Value {
    do {
        return try access()
    } catch {
        throw MdocError(reading: error)
    }
}
