import JSONKit
import SDJWTKit

/// Claims of the drafts' examples, in which `$sdKeys` lists the members to hide and `{"$sd": x}` is an element to hide.
struct MarkedClaims {
    private(set) var paths: [ClaimPath] = []

    /// The claims without marks; the paths of what is marked are collected.
    mutating func read(_ value: JSONValue, at path: [ClaimPath.Component]) -> JSONValue {
        switch value {
        case .object(let object):
            for case .string(let name) in object["$sdKeys"]?.arrayValue ?? [] {
                paths.append(ClaimPath(path + [.name(name)]))
            }
            let members = object.filter { $0.name != "$sdKeys" }.map { member in
                (member.name, read(member.value, at: path + [.name(member.name)]))
            }
            return .object(JSONObject(members))
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    guard let hidden = element["$sd"], element.objectValue?.count == 1 else {
                        return read(element, at: path + [.index(index)])
                    }
                    paths.append(ClaimPath(path + [.index(index)]))
                    return read(hidden, at: path + [.index(index)])
                }
            )
        default: return value
        }
    }
}
