import CredentialTransport

extension FuzzTarget {
    /// The parsers of CredentialTransport.
    package static let transport = [
        FuzzTarget(name: "http-url") { bytes in
            let url = try HTTPURL(String(decoding: bytes, as: UTF8.self))
            require(try HTTPURL(url.description) == url, "what is written reads back")
            require(url.description.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a URL is visible ASCII")
            let longer = url.appendingQueryItem("time", "1")
            require(
                longer.description.utf8.count > HTTPURL.maximumLength || (try? HTTPURL(longer.description)) == longer,
                "so does a longer one"
            )
            try AddressGuard().requireAllowed(url)
        },
        FuzzTarget(name: "ip-address") { bytes in
            guard let address = IPAddress(String(decoding: bytes, as: UTF8.self)) else { return }
            require(IPAddress(address.description) == address, "what is written reads back")
            _ = address.kind
        },
        FuzzTarget(name: "media-type") { bytes in
            let type = try MediaType(String(decoding: bytes, as: UTF8.self))
            require(try MediaType(type.description) == type, "what is written reads back")
        },
    ]
}
