import IdemixCore
