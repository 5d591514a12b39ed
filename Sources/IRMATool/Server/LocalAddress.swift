#if Server
import NIOCore

/// The addresses of this machine.
enum LocalAddress {
    /// The first address of IP version 4 that is not loopback, or nil for a machine without a network.
    static var first: String? {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.lazy.compactMap { device -> String? in
            guard case .v4? = device.address, let address = device.address?.ipAddress else { return nil }
            return address.hasPrefix("127.") ? nil : address
        }.first
    }
}
#endif
