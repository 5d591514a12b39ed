import IdemixCore
import JSONKit

/// The end of a screening.
enum ScreeningFault: Error {
    /// The proof cannot be read.
    case malformed(IRMAError)
    /// The proof can be read, and fails a check.
    case refused(Check, CheckFault)

    /// The same fault seen from one structure further out.
    func inside(_ structure: String) -> ScreeningFault {
        switch self {
        case .malformed(let error): .malformed(error.inside(structure))
        case .refused(let check, let fault): .refused(check, fault.inside(structure))
        }
    }
}

/// A proof as JSON shows it: its members, of which only short integers are read.
struct ProofOutline {
    /// The part of a proof that concerns the list.
    struct Content {
        let challenge: BigInteger
        /// The number of characters of the disclosed attributes.
        let disclosedSize: Int
    }

    private let members: MessageMembers
    /// Indicates a disclosure; any other proof is a commitment.
    let isDisclosure: Bool

    init(_ json: JSONValue) throws(ScreeningFault) {
        do throws(IRMAError) {
            let members = try MessageMembers(json)
            let (A, U) = (try members.value("A"), try members.value("U"))
            guard A != nil || U != nil else { throw IRMAError(.malformed, "a proof has A or U") }
            self.members = members
            isDisclosure = A != nil
        } catch {
            throw .malformed(error)
        }
    }

    private func value(_ name: String) throws(ScreeningFault) -> JSONValue? {
        do throws(IRMAError) { return try members.value(name) } catch { throw .malformed(error) }
    }

    /// The integers of a member by index, none of which is read; none for an absent member.
    func integers(_ name: String) throws(ScreeningFault) -> JSONObject {
        guard let value = try value(name) else { return JSONObject() }
        guard let object = value.objectValue else {
            throw ScreeningFault.malformed(.unexpected(value, "an object")).inside(name)
        }
        return object
    }

    /// Returns `true` for an absent member and for an object without members.
    func isEmpty(_ name: String) throws(ScreeningFault) -> Bool {
        guard let value = try value(name) else { return true }
        return value.objectValue?.isEmpty ?? false
    }

    /// The number of characters of all texts in a member, or nil for an absent one.
    func size(_ name: String) throws(ScreeningFault) -> Int? {
        func size(_ json: JSONValue) -> Int {
            switch json {
            case .null, .bool: 1
            case .number(let number): number.text.utf8.count
            case .string(let text): text.utf8.count
            case .array(let elements): elements.reduce(1) { $0 + size($1) }
            case .object(let members): members.reduce(1) { $0 + $1.name.utf8.count + size($1.value) }
            }
        }
        return try value(name).map(size)
    }

    /// The integer of a required member.
    func integer(_ name: String, bits: Int) throws(ScreeningFault) -> BigInteger {
        guard let value = try value(name) else {
            throw .malformed(IRMAError(.malformed, "the member is missing", path: [name]))
        }
        return try integer(value, bits: bits, [name])
    }

    /// Reads an integer, unless its text is too long for so many bits.
    func integer(_ json: JSONValue, bits: Int, _ path: [String]) throws(ScreeningFault) -> BigInteger {
        guard json.stringValue?.utf8.count ?? 0 <= (bits + 23) / 24 * 4 else {
            throw .refused(.structure, .failed(.malformed, "the integer is out of its range", path: path))
        }
        do throws(IdemixError) {
            return try BigInteger(json: json)
        } catch {
            throw .malformed(IRMAError(.malformed, error.message, path: path, cause: error))
        }
    }
}
