import JSONKit
import VerificationCore

/// An issuer's marks in claims: values to hide, and places for decoys; a tree along the claims.
struct ConcealmentMarks {
    /// Indicates that the value gets a Disclosure.
    var isConcealed = false
    /// The number of decoy digests in the object or array.
    var decoys = 0
    /// The marks of members, by name, and of elements.
    var members: [ExactText: ConcealmentMarks] = [:]
    var elements: [Int: ConcealmentMarks] = [:]

    /// Returns `true` if neither the value nor anything inside it is marked.
    var isEmpty: Bool { !isConcealed && decoys == 0 && members.isEmpty && elements.isEmpty }

    /// Changes the marks at the values that a path selects; gives their number.
    mutating func mark(
        _ path: ArraySlice<ClaimPath.Component>,
        in value: JSONValue,
        of whole: ClaimPath,
        _ change: (inout ConcealmentMarks, JSONValue) throws(SDJWTError) -> Void
    ) throws(SDJWTError) -> Int {
        guard let step = path.first else {
            try change(&self, value)
            return 1
        }
        let rest = path.dropFirst()
        switch (step, value) {
        case (.name(let name), .object(let object)):
            guard let member = object[name] else { return 0 }
            return try members[ExactText(name), default: .init()].mark(rest, in: member, of: whole, change)
        case (.index(let index), .array(let array)):
            guard array.indices.contains(index) else { return 0 }
            return try elements[index, default: .init()].mark(rest, in: array[index], of: whole, change)
        case (.all, .array(let array)):
            var count = 0
            for (index, element) in array.enumerated() {
                count += try elements[index, default: .init()].mark(rest, in: element, of: whole, change)
            }
            return count
        default: throw step.mismatch(value.kind, path: whole)
        }
    }
}
