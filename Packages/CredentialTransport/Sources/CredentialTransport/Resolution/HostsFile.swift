#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The names that this machine gives to addresses by itself (hosts(5)).
package enum HostsFile {
    /// The addresses of a name, in the order of the file; empty where it has none, or where there is no file.
    ///
    /// - Parameters:
    ///   - host: The name in lower case.
    ///   - path: The path of the file.
    package static func addresses(of host: String, at path: String = "/etc/hosts") -> [IPAddress] {
        guard let file = try? Data(contentsOf: URL(filePath: path)) else { return [] }
        var addresses: [IPAddress] = []
        for line in file.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let fields = line.prefix { $0 != UInt8(ascii: "#") }.split {
                $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
            }
            guard fields.dropFirst().contains(where: { ASCII.lowercased($0) == host }), let first = fields.first,
                let address = IPAddress(String(decoding: first, as: UTF8.self)), !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
        return addresses
    }
}
