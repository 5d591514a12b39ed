#if Server
/// Variables that others set under the prefix of this program.
enum EnvironmentOfOthers {
    /// The variables that Kubernetes sets for a service of the program's name, such as `IRMASERVER_PORT_8088_TCP_ADDR`.
    package static func variables(in environment: [String: String], prefix: String) -> Set<String> {
        Set(
            environment.keys.filter { name in
                guard name.hasPrefix(prefix) else { return false }
                let rest = name.dropFirst(prefix.count)
                return rest.hasPrefix("SERVICE_") || rest.hasPrefix("PORT_")
                    || (rest == "PORT" && environment[name]?.hasPrefix("tcp://") == true)
            }
        )
    }
}
#endif
